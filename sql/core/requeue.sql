-- running → queued: the ways back.

-- requeue() — running → queued
--
-- The one way back into the same round; reschedule_one() begins another. p_attempts says
-- what becomes of the attempt: kept (it counts), returned (as if it had not been taken) or renewed
-- (attempts begin anew). Without a time the task keeps its place in the queue. p_waits says what a
-- task waits for (core/durable/waits.sql). Only tasks that still hold their
-- claim are touched; their ids come back.

create or replace function requeue(
  p_ids         bigint[],
  p_claims      bigint[],
  p_attempts    text,
  p_run_ats     timestamptz[] default null,
  p_started_ats timestamptz[] default null,
  p_waits       jsonb[]       default null
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
        parked_on  = null,
        started_at = null,
        attempt    = case p_attempts when 'kept' then attempt when 'renewed' then 0 else attempt - 1 end,
        waits      = p_waits[i],
        run_at     = coalesce(p_run_ats[i], run_at)
    from (
      select i, was.run_at as due_at, was.parked_on,
             coalesce(p_started_ats[i], was.started_at, claims.claimed_at) as began_at
      from generate_subscripts(p_ids, 1) as i
      join tasks as was on was.id = any (array[p_ids[i]]) and was.claim = p_claims[i]
      left join claims on claims.id = p_claims[i]
      order by p_ids[i]
    ) as told
    where tasks.id = any (array[p_ids[i]]) and tasks.claim = p_claims[i]
    returning tasks.id, p_claims[i] as claim, tasks.queue,
              case when told.parked_on is null then tasks.groups end as groups, tasks.run_at, told.due_at, told.began_at
  )
  select array_agg(id), array_agg(claim), array_agg(queue), array_agg(groups::text), min(run_at), array_agg(due_at),
         array_agg(began_at)
  into v_ids, v_claims, v_queues, v_groups, v_first, v_due, v_starts
  from back;

  if v_ids is null then
    return '{}';
  end if;
  -- A task that is given back as if it had not been taken has not run.
  insert into deltas (queue, requeued, retried, due_ats, started_ats)
  select queue, count(*), case p_attempts when 'kept' then count(*) else 0 end,
         case when p_attempts <> 'returned' then array_agg(due_at) end,
         case when p_attempts <> 'returned' then array_agg(began_at) end
  from unnest(v_queues, v_due, v_starts) as back (queue, due_at, began_at)
  group by queue;
  -- In one statement, from left to right: each takes as long to begin as the rest of such a function.
  perform leave_claims(v_claims, v_queues, v_groups, v_now),
          record_events(case when p_waits is null then 'requeue' else 'wait' end, v_ids, v_queues),
          wake_workers(v_queues, v_first);
  return v_ids;
end;
$$;

-- reschedule_one() — running → queued, for another round
--
-- It counts an iteration, and attempts begin anew. Null when the claim does not hold the
-- task: then nothing was changed.

create or replace function reschedule_one(
  p_id      bigint,
  p_claim   bigint,
  p_run_at  timestamptz,
  p_payload jsonb       default null
)
  returns bigint
  language plpgsql
  set search_path from current
as $$
declare
  v_now  timestamptz := clock_timestamp();
  v_was  record;
  v_held record;
begin
  loop
    select id, claim, queue, case when parked_on is null then groups end as groups, run_at, started_at into v_was
    from tasks where id = p_id and claim = p_claim and size = 1
    for no key update;
    exit when found;
    if not split_live_packs(array[p_id]) then
      return null;
    end if;
  end loop;
  if p_payload is not null then
    perform check_payloads(array[v_was.queue], array[p_payload]);
    delete from payloads where task = v_was.id;
  end if;
  update tasks
  set claim      = null,
      parked_on  = null,
      started_at = null,
      attempt    = 0,
      iteration  = iteration + 1,
      waits      = null,
      run_at     = p_run_at,
      payload    = coalesce(p_payload, payload)
  where id = v_was.id;

  -- Asked only now, with the task in hand; see end_tasks().
  select rules.has_grants, rules.is_followed, v_was.groups is not null or rules.is_counted as is_limited,
         claims.claimed_at, exists (select from sleepers where queue = v_was.queue) as rings
  into v_held
  from queue_rules(v_was.queue) as rules
  left join claims on claims.id = v_was.claim;
  if v_held.has_grants then
    perform require_queues('consume', array[v_was.queue]);
  end if;
  insert into deltas (queue, requeued, due_ats, started_ats)
  values (v_was.queue, 1, array[v_was.run_at], array[coalesce(v_was.started_at, v_held.claimed_at)]);

  perform close_claims(array[v_was.claim]);
  if v_held.is_limited then
    perform free_slots(array[v_was.claim], array[v_was.queue], array[v_was.groups::text], v_now);
  end if;
  if v_held.is_followed then
    perform record_events('requeue', array[v_was.id], array[v_was.queue]);
  end if;
  if v_held.rings then
    perform wake_workers(array[v_was.queue], p_run_at);
  end if;
  return v_was.id;
end;
$$;

-- reject_one() — running → queued | failed: what reject() does, with a time in place of a delay
--
-- For dialects. Answers with the state, or null when the claim does not hold the task: then
-- nothing was changed.

create or replace function reject_one(p_id bigint, p_claim bigint, p_error jsonb, p_run_at timestamptz)
  returns text
  language plpgsql
  set search_path from current
as $$
declare
  v_state text;
begin
  perform require_tasks('consume', array[p_id]);
  select state into v_state
  from end_attempts(
    array[p_id], array[p_claim], array['rejected'], array[p_error], null, null, null, false, array[p_run_at]);
  return v_state;
end;
$$;
