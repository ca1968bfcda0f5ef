-- reschedule_one() — running → queued, for another round
--
-- Named by its id and claim, or by a key that its queue keeps, as in end_one(). It counts an
-- iteration, and attempts begin anew. Null when the claim does not hold the task: then
-- nothing was changed.

create or replace function reschedule_one(
  p_id      bigint,
  p_claim   bigint,
  p_run_at  timestamptz,
  p_payload jsonb default null,
  p_queue   text  default null,
  p_key     text  default null
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
  if p_key is null then
    select id, claim, queue, groups, run_at, started_at into v_was
    from tasks where id = p_id and claim = p_claim
    for no key update;
  else
    select tasks.id, tasks.claim, tasks.queue, tasks.groups, tasks.run_at, tasks.started_at into v_was
    from keys
    join tasks on tasks.id = any (array[keys.task])
    where keys.queue = p_queue and keys.key = p_key and keys.until = 'infinity'
      and tasks.kind = 'document' and tasks.claim is not null
      and (tasks.claim = p_claim
           or (p_claim is null and tasks.attempt = 1
               and (select true from attempts where attempts.task = tasks.id and attempts.reason = 'lost' limit 1) is null))
    for no key update of tasks;
  end if;
  if not found then
    return null;
  end if;
  if p_payload is not null then
    perform check_payloads(array[v_was.queue], array[p_payload]);
  end if;
  update tasks
  set claim      = null,
      started_at = null,
      attempt    = 0,
      iteration  = iteration + 1,
      run_at     = p_run_at,
      payload    = coalesce(p_payload, payload)
  where id = v_was.id;

  -- Asked only now, with the task in hand; see settle().
  select common.has_grants, claims.claimed_at,
         coalesce(own.records_events, false) or coalesce(common.followed_until > v_now, false) as is_followed,
         v_was.groups is not null or coalesce(own.is_counted, false) as is_limited,
         exists (select from sleepers where queue = v_was.queue) as rings
  into v_held
  from queues as common
  left join queues as own on own.name = v_was.queue
  left join claims on claims.id = v_was.claim
  where common.name = '*';
  if v_held.has_grants then
    perform require_queues('consume', array[v_was.queue]);
  end if;
  insert into deltas (queue, requeued, due_ats, started_ats)
  values (v_was.queue, 1, array[v_was.run_at], array[coalesce(v_was.started_at, v_held.claimed_at)]);

  if not v_held.is_limited then
    delete from claims where id = (select id from claims where id = v_was.claim and open = 1 for update skip locked);
  end if;
  if v_held.is_limited or not found then
    perform settle(array[v_was.claim], array[v_was.queue], array[v_was.groups::text], v_now);
  end if;
  if v_held.is_followed then
    perform note_events('requeue', array[v_was.id], array[v_was.queue]);
  end if;
  if v_held.rings then
    perform ring(array[v_was.queue], p_run_at);
  end if;
  return v_was.id;
end;
$$;
