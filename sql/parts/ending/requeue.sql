-- requeue() — running → queued
--
-- The one way back into the same round; reschedule_one() begins another. p_attempts says
-- what becomes of the attempt: kept (it counts) or returned (as if it had not been taken).
-- Without a time the task keeps its place in the queue. Only tasks that still hold their
-- claim are touched; their ids come back.

create or replace function requeue(
  p_ids         bigint[],
  p_claims      bigint[],
  p_attempts    text,
  p_run_ats     timestamptz[] default null,
  p_started_ats timestamptz[] default null
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
  v_due    timestamptz[];
  v_starts timestamptz[];
begin
  with back as (
    update tasks
    set claim      = null,
        started_at = null,
        attempt    = case p_attempts when 'kept' then attempt else attempt - 1 end,
        run_at     = coalesce(p_run_ats[i], run_at)
    from (
      select i, was.run_at as due_at, coalesce(p_started_ats[i], was.started_at, claims.claimed_at) as began_at
      from generate_subscripts(p_ids, 1) as i
      join tasks as was on was.id = any (array[p_ids[i]]) and was.claim = p_claims[i]
      left join claims on claims.id = p_claims[i]
      order by p_ids[i]
    ) as told
    where tasks.id = any (array[p_ids[i]]) and tasks.claim = p_claims[i]
    returning tasks.id, p_claims[i] as claim, tasks.queue, tasks.groups, tasks.run_at, told.due_at, told.began_at
  )
  select array_agg(id), array_agg(claim), array_agg(queue), array_agg(groups::text), min(run_at), array_agg(due_at),
         array_agg(began_at)
  into v_ids, v_claims, v_queues, v_groups, v_first, v_due, v_starts
  from back;

  if v_ids is null then
    return '{}';
  end if;
  perform settle(v_claims, v_queues, v_groups, v_now);
  -- A task that is given back as if it had not been taken has not run.
  insert into deltas (queue, requeued, retried, due_ats, started_ats)
  select queue, count(*), case p_attempts when 'kept' then count(*) else 0 end,
         case when p_attempts <> 'returned' then array_agg(due_at) end,
         case when p_attempts <> 'returned' then array_agg(began_at) end
  from unnest(v_queues, v_due, v_starts) as back (queue, due_at, began_at)
  group by queue;
  perform note_events('requeue', v_ids, v_queues);
  perform ring(v_queues, v_first);
  return v_ids;
end;
$$;
