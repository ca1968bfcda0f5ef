-- trace_key() — what happened under one key, in all queues, in the order of time
--
-- A document often travels from queue to queue under one key. Of each task: when it
-- came, every attempt that did not succeed, what it logged, and how it stands or ended.

create or replace function trace_key(p_key text)
  returns table (at timestamptz, queue text, task bigint, event text, details jsonb)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_all boolean := sees_all();
begin
  return query
    with every as materialized (
      select tasks.id, tasks.queue, tasks.created_at, null::timestamptz as finished_at,
             case when tasks.claim is null then 'queued' else 'running' end as state, null::text as reason,
             tasks.iteration, tasks.attempt, tasks.run_at,
             hide_password(tasks.kind, coalesce(tasks.payload, (
               select large.payload from payloads as large where large.task = tasks.id))) as payload,
             null::jsonb as outcome
      from (select distinct queue from lanes) as known
      join keys on keys.queue = any (array[known.queue]) and keys.key = p_key
      join tasks on tasks.id = any (array[keys.task])
      union all
      select id, queue, created_at, finished_at, state, reason, iteration, attempt, run_at,
             hide_password(kind, coalesce(payload, (
               select large.payload from payloads as large where large.task = finished.id))),
             coalesce(output, error)
      from finished
      where key = p_key
    ), found as materialized (
      select * from every where v_all or may_use('operate', queue, (select submitter()))
    )
    select created_at, queue, id, 'enqueued', jsonb_build_object('payload', payload) from found
    union all
    select ended_at, found.queue, id, attempts.reason,
           jsonb_build_object('iteration', attempts.iteration, 'attempt', attempts.attempt, 'worker', worker,
                              'error', error)
    from found join attempts on attempts.task = any (array[found.id])
    union all
    select logs.at, found.queue, found.id, 'log',
           jsonb_build_object('attempt', logs.attempt, 'level', level, 'message', message)
    from found join logs on logs.task = any (array[found.id])
    union all
    select coalesce(finished_at, clock_timestamp()), queue, id, state,
           jsonb_strip_nulls(jsonb_build_object(
             'reason', reason, 'iteration', iteration, 'attempt', attempt, 'run_at', run_at, 'outcome', outcome))
    from found
    order by 1, 3;
end;
$$;
