-- requeue() — running → queued
--
-- The one way back. p_attempts says what becomes of the attempt: kept (it
-- counts), returned (as if it had not been taken) or reset (a new round, which
-- counts an iteration). Without a time the task keeps its place in the queue.
-- Only tasks that still hold their claim are touched; their ids come back.

create or replace function requeue(
  p_ids      bigint[],
  p_claims   bigint[],
  p_attempts text,
  p_run_ats  timestamptz[] default null,
  p_payloads jsonb[]       default null
)
  returns bigint[]
  language plpgsql
as $$
declare
  v_now    timestamptz := clock_timestamp();
  v_ids    bigint[];
  v_claims bigint[];
  v_queues text[];
  v_groups text[];
  v_first  timestamptz;
begin
  with back as (
    update tasks
    set claim      = null,
        started_at = null,
        attempt    = case p_attempts when 'kept' then attempt when 'returned' then attempt - 1 else 0 end,
        iteration  = iteration + (p_attempts = 'reset')::integer,
        run_at     = coalesce(p_run_ats[i], run_at),
        payload    = coalesce(p_payloads[i], payload)
    from (select i from generate_subscripts(p_ids, 1) as i order by p_ids[i]) as told
    where tasks.id = p_ids[i] and tasks.claim = p_claims[i]
    returning tasks.id, p_claims[i] as claim, tasks.queue, tasks.groups, tasks.run_at
  )
  select array_agg(id), array_agg(claim), array_agg(queue), array_agg(groups::text), min(run_at)
  into v_ids, v_claims, v_queues, v_groups, v_first
  from back;

  if v_ids is null then
    return '{}';
  end if;
  perform settle(v_claims, v_queues, v_groups, v_now);
  insert into deltas (queue, requeued)
  select queue, count(*) from unnest(v_queues) as back (queue) group by queue;
  perform note_events('requeue', v_ids, v_queues);
  perform ring(v_queues, v_first);
  return v_ids;
end;
$$;
