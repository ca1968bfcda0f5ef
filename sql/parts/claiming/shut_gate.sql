-- shut_gate() — waits for claims of a queue that are under way, and lets none in until the transaction ends
--
-- While it stands in line for the lock, claims stand behind it. So it gives up its place
-- after a moment and comes again: a claim in a transaction that stays open holds up the one
-- who sets a limit, and not the other claims.

create or replace function shut_gate(p_queue text)
  returns void
  language plpgsql
as $$
declare
  c_tries constant integer := 100;
  v_before text := current_setting('lock_timeout');
begin
  for i in 1 .. c_tries loop
    begin
      perform set_config('lock_timeout', '100ms', true);
      execute format('lock table gate_%s in exclusive mode', gate_of(p_queue));
      perform set_config('lock_timeout', v_before, true);
      return;
    exception when lock_not_available then
      perform pg_sleep(0.1);
    end;
  end loop;
  raise exception using
    errcode = 'lock_not_available',
    message = format('queue %s could not be given its first limit: a claim of it is in a transaction that stays open', p_queue),
    hint    = 'Nothing was changed. Try again when that transaction has ended.';
end;
$$;
