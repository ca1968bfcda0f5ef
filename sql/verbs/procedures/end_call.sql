-- end_call() — the last part of each call, after its last commit
--
-- Part of step(), delay() and await(), which find it by the schema that the setting tusk.run
-- names: what commits may neither set a search path nor be SECURITY DEFINER. The token of that setting proves for
-- which task it speaks.

create or replace function end_call()
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform read_run();
  execute 'deallocate tusk_call';
  perform set_config('tusk.mark', 'open', true);
end;
$$;
