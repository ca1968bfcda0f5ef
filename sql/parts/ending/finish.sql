-- finish() — queued | running → done | failed | cancelled, or gone
--
-- The one way out of the hot table. In one statement the row leaves tasks and its
-- story enters finished, or is forgotten where its queue keeps nothing of that outcome;
-- then the lease, the key and the slots it held are given back. Only tasks that still hold
-- the claim they are named with (null: queued) are touched; their ids come back.
-- Without a state the tasks are deleted and nothing is kept.
--
-- What depends on the claim or its queue alone is looked up once per claim, not
-- once per task.

create or replace function finish(
  p_ids         bigint[],
  p_claims      bigint[],
  p_state       text,
  p_reasons     text[]        default null,
  p_outputs     jsonb[]       default null,
  p_errors      jsonb[]       default null,
  p_started_ats timestamptz[] default null
)
  returns bigint[]
  language plpgsql
as $$
declare
  v_now     timestamptz := clock_timestamp();
  v_tokens  bigint[];
  v_workers text[];
  v_starts  timestamptz[];
  v_keeps   interval[];
  v_follows boolean;
  v_ids     bigint[];
  v_claims  bigint[];
  v_queues  text[];
  v_keys    text[];
  v_groups  text[];
  v_kept    boolean[];
  v_gone    bigint[];
begin
  select array_agg(claims.id), array_agg(claims.worker), array_agg(claims.claimed_at),
         array_agg(case p_state
           when 'done' then coalesce(own.keep_done, common.keep_done)
           when 'failed' then coalesce(own.keep_failed, common.keep_failed)
           else coalesce(own.keep_cancelled, common.keep_cancelled)
         end),
         bool_or(coalesce(own.records_events, false) or common.followed_until > v_now)
  into v_tokens, v_workers, v_starts, v_keeps, v_follows
  from claims
  join queues as common on common.name = '*'
  left join queues as own on own.name = claims.queue
  where claims.id = any (array(select distinct unnest(p_claims)));

  -- any (array[…]) wherever rows are named one by one: a planner that expects an empty
  -- table must not read it from end to end (docs/decisions/0008).
  with ended as materialized (
    delete from tasks
    using (select i from generate_subscripts(p_ids, 1) as i order by p_ids[i]) as told
    where tasks.id = any (array[p_ids[i]]) and tasks.claim is not distinct from p_claims[i]
    -- What the last select reads comes first: a row is taken apart only as far as needed.
    returning tasks.id, tasks.claim, tasks.queue, tasks.key, tasks.parked_on, tasks.groups, tasks.run_at,
              coalesce(likely_time(p_started_ats[i]), tasks.started_at, v_starts[array_position(v_tokens, p_claims[i])]) as began_at,
              tasks.created_at, tasks.deadline, tasks.parent, tasks.iteration, tasks.priority, tasks.version, tasks.attempt,
              tasks.max_attempts, tasks.max_running, tasks.frees_key, tasks.timeout, tasks.retention, tasks.kind,
              tasks.handler, tasks.submitted_by, tasks.tags, tasks.backoff, tasks.meta, tasks.payload,
              p_reasons[i] as reason, p_outputs[i] as output, p_errors[i] as error,
              array_position(v_tokens, p_claims[i]) as held,
              coalesce(tasks.retention, v_keeps[array_position(v_tokens, p_claims[i])], keep_for(tasks.queue, p_state)) as keep
  ), kept as (
    insert into finished (
      id, created_at, run_at, started_at, finished_at, keep_until, deadline, parent, iteration, priority, version,
      attempt, max_attempts, max_running, frees_key, timeout, retention, state, reason, kind, queue, key, handler,
      submitted_by, worker, groups, tags, backoff, meta, payload, output, error
    )
    select id, created_at, run_at, began_at, v_now, v_now + keep, deadline, parent,
           iteration, priority, version, attempt, max_attempts, max_running, frees_key, timeout, retention, p_state,
           reason, kind, queue, key, handler, submitted_by, v_workers[held], groups, tags, backoff, meta, payload,
           output, error
    from ended
    where p_state is not null and keep > interval '0'
  ), counted as (
    insert into deltas (queue, done, failed, cancelled, due_ats, started_ats)
    select queue, case p_state when 'done' then count(*) else 0 end, case p_state when 'failed' then count(*) else 0 end,
           case when coalesce(p_state, 'cancelled') = 'cancelled' then count(*) else 0 end,
           array_agg(run_at), array_agg(began_at)
    from ended
    group by queue
  )
  select array_agg(id), array_agg(claim), array_agg(queue), array_agg(key),
         array_agg(case when parked_on is null then groups::text end),
         case when p_state is not null then array_agg(keep > interval '0') end
  into v_ids, v_claims, v_queues, v_keys, v_groups, v_kept
  from ended;

  if v_ids is null then
    return '{}';
  end if;
  if array_remove(v_keys, null) <> '{}' then
    perform free_keys(v_ids, v_queues, v_keys, v_kept, v_now);
  end if;
  if false = any (v_kept) then
    v_gone := array(select ended.id from unnest(v_ids, v_kept) as ended (id, is_kept) where not ended.is_kept);
    delete from attempts where task = any (v_gone);
    delete from logs where task = any (v_gone);
  end if;
  perform settle(v_claims, v_queues, v_groups, v_now);
  if v_follows or array_position(v_claims, null) is not null then
    perform note_events(
      case p_state when 'done' then 'complete' when 'failed' then 'fail' when 'cancelled' then 'cancel' else 'delete' end,
      v_ids, v_queues);
  end if;
  if exists (select from waiters where task = any (v_ids)) then
    perform tell_waiters(v_ids);
  end if;
  return v_ids;
end;
$$;
