-- sleep() — a worker with nothing to do says so, and hears when to look again
--
-- From now until p_for is over, whoever makes a task of these queues due rings the
-- worker (NOTIFY '<schema>:ready'). Answers with the time of the next task that
-- becomes due by itself. Look for tasks once more after this call and before
-- sleeping: what was enqueued meanwhile did not know that you would sleep.

create or replace function sleep(p_worker text, p_queues text[], p_for interval default '1 minute')
  returns timestamptz
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_until timestamptz := clock_timestamp() + p_for;
begin
  insert into sleepers (queue, worker, until)
  select distinct queue, p_worker, v_until
  from unnest(p_queues) as given (queue)
  order by queue
  on conflict (queue, worker) do update set until = excluded.until;

  return (select min(next_due(queue)) from unnest(p_queues) as given (queue));
end;
$$;
