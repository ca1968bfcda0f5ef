-- ring() — wakes the workers that sleep on these queues
--
-- One NOTIFY per queue and transaction (Postgres drops repetitions), and none
-- while nobody sleeps: the commit of a NOTIFY takes a lock shared by the whole
-- server. Nothing rests on it; a worker that misses it looks again by itself.

create or replace function ring(p_queues text[], p_run_at timestamptz default '-infinity')
  returns void
  language plpgsql
as $$
declare
  v_queue text;
begin
  for v_queue in
    select distinct queue
    from sleepers
    where queue = any (p_queues) and until > greatest(p_run_at, clock_timestamp())
  loop
    perform pg_notify(current_schema() || ':ready', v_queue);
  end loop;
end;
$$;
