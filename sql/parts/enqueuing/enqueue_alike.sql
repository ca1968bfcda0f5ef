-- enqueue_alike() — → queued: many plain tasks that differ in key, priority and payload alone
--
-- What enqueue_plain() is for one task: without groups, windows or a backoff of their own,
-- and checked by the caller but for the size of payloads. Answers with the ids in the order
-- given, or null when nothing was stored: a key is taken or comes twice, or the queue is
-- more than plain. Then the way of a bulk, enqueue_many(), says what becomes of each.

create or replace function enqueue_alike(
  p_queue      text,
  p_kind       text,
  p_version    integer,
  p_run_at     timestamptz,
  p_keys       text[],
  p_priorities integer[],
  p_payloads   jsonb[]
)
  returns bigint[]
  language plpgsql
  set search_path from current
as $$
declare
  v_now   timestamptz := clock_timestamp();
  v_by    text := submitter();
  v_ids   bigint[];
  v_queue record;
  v_unopened record;
begin
  select common.has_grants, coalesce(own.max_payload, common.max_payload) as max_payload, coalesce(own.is_fair, false) as is_fair,
         coalesce(own.records_events, false) or coalesce(common.followed_until > v_now, false) as is_followed,
         case when own.keeps_keys then timestamptz 'infinity' else '-infinity' end as key_until,
         exists (select from sleepers where queue = p_queue) as rings
  into v_queue
  from queues as common
  left join queues as own on own.name = p_queue
  where common.name = '*';
  if v_queue.has_grants then
    perform require_queues('enqueue', array[p_queue]);
  end if;
  -- All payloads together: only when they are too large need each be looked at.
  if v_queue.is_fair or pg_column_size(p_payloads) > v_queue.max_payload then
    return null;
  end if;

  v_ids := array(select nextval('task_ids') from generate_subscripts(p_keys, 1));
  begin
    -- In the order of the keys; see take_keys().
    insert into keys (queue, key, task, until)
    select p_queue, p_keys[i], v_ids[i], v_queue.key_until
    from generate_subscripts(p_keys, 1) as i
    order by p_keys[i] collate "C";
  exception when unique_violation then
    return null;
  end;

  insert into tasks (
    id, created_at, run_at, priority, version, kind, queue, key, handler, submitted_by, payload
  )
  select v_ids[i], v_now, coalesce(p_run_at, v_now), p_priorities[i], p_version, p_kind, p_queue, p_keys[i],
         case when p_kind = 'handler' then p_queue end, v_by, p_payloads[i]
  from generate_subscripts(v_ids, 1) as i;
  insert into deltas (queue, enqueued) values (p_queue, cardinality(v_ids));

  select array_agg(p_queue) as queues, array_agg(priority) as priorities into v_unopened
  from (select distinct unnest(p_priorities) as priority) as used
  where current_setting('transaction_isolation') not in ('read committed', 'read uncommitted')
     or not exists (select from lanes where lanes.queue = p_queue and lanes.priority = used.priority and closing_by is null);
  if v_unopened.queues is not null then
    perform open_lanes(v_unopened.queues, v_unopened.priorities);
  end if;
  if v_queue.is_followed then
    perform note_events('enqueue', v_ids, array_fill(p_queue, array[cardinality(v_ids)]));
  end if;
  if v_queue.rings then
    perform ring(array[p_queue], coalesce(p_run_at, v_now));
  end if;
  return v_ids;
end;
$$;
