-- sleep() — a worker with nothing to do says so, and hears when to look again
--
-- From now until p_for is over, a session that makes a task of these queues due rings the
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
  v_until timestamptz;
begin
  perform check_list('p_queues', p_queues);
  if num_nulls(p_worker, p_queues, p_for) > 0 or array_position(p_queues, null) is not null then
    perform refuse('TK004', 'sleep needs a worker, the queues it serves and for how long',
                   'Write sleep(''worker'', ''{mail,post}'', ''1 minute''); none of them may be null.');
  end if;
  perform check_worker(p_worker);
  perform check_queue(queue) from unnest(p_queues) as given (queue);
  perform check_delays(array[p_for]);
  if has_grants() then
    perform require_queues('consume', p_queues);
  end if;
  v_until := clock_timestamp() + p_for;
  insert into sleepers (queue, worker, until)
  select distinct queue, p_worker, v_until
  from unnest(p_queues) as given (queue)
  order by queue
  on conflict (queue, worker) do update set until = excluded.until;

  return first_due_time(p_queues);
end;
$$;
