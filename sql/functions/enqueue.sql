-- enqueue(): → queued
--
-- Stores one task and answers with its id. Only the queue is needed; a task
-- without a kind is for a handler, by default the one named like the queue.
-- With a key that is taken, on_duplicate decides and the outcome tells.
-- Part of the caller's transaction: it exists when that commits, or never.

create or replace function enqueue(
  p_queue        text,
  p_payload      jsonb       default '{}',
  p_handler      text        default null,
  p_kind         text        default null,
  p_priority     integer     default null,
  p_run_at       timestamptz default null,
  p_key          text        default null,
  p_on_duplicate text        default null,
  p_window       interval    default null,
  p_frees_key    boolean     default null,
  p_groups       text[]      default null,
  p_max_running  integer     default null,
  p_tags         text[]      default null,
  p_version      integer     default null,
  p_max_attempts integer     default null,
  p_backoff      jsonb       default null,
  p_timeout      interval    default null,
  p_deadline     timestamptz default null,
  p_retention    interval    default null,
  p_parent       bigint      default null,
  p_meta         jsonb       default null
)
  returns table (id bigint, outcome text)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_now   timestamptz := clock_timestamp();
  v_id    bigint;
  v_queue record;
  v_rings boolean;
begin
  -- Most tasks come alone and ask for nothing special: they take four statements. All
  -- others, and whatever is to be refused or is there already, take the way of a bulk.
  if p_groups is null and p_window is null and p_backoff is null and coalesce(p_on_duplicate, 'keep') = 'keep'
     and p_kind is distinct from 'sql' and (p_key is not null or p_on_duplicate is null)
     and task_fault(
       p_queue, p_payload, p_kind, p_handler, p_priority, p_version, p_run_at, p_deadline, p_key, p_on_duplicate, p_window,
       p_max_attempts, p_max_running, p_timeout, p_retention, v_now) is null
  then
    select coalesce(own.max_payload, common.max_payload) as max_payload, coalesce(own.is_fair, false) as is_fair,
           coalesce(own.records_events, false) as records_events,
           exists (select from lanes where queue = p_queue and priority = coalesce(p_priority, 0)) as has_lane,
           exists (select from keys where queue = p_queue and key = p_key) as is_taken
    into v_queue
    from queues as common
    left join queues as own on own.name = p_queue
    where common.name = '*';
    if not v_queue.is_fair and not v_queue.is_taken and pg_column_size(p_payload) <= v_queue.max_payload then
      v_id := nextval('task_ids');
      if p_key is not null then
        insert into keys (queue, key, task) values (p_queue, p_key, v_id) on conflict (queue, key) do nothing;
      end if;
    end if;
  end if;

  if v_id is null or (p_key is not null and not found) then
    return query
      select answer.id, answer.outcome
      from enqueue_many(
        array[p_queue], array[p_payload], array[p_handler], array[p_kind], array[p_priority], array[p_run_at],
        case when p_key is not null or p_on_duplicate is not null then array[p_key] end,
        array[p_on_duplicate], array[p_window], array[p_frees_key],
        case when p_groups is not null then array[p_groups::text] end, array[p_max_running], array[p_tags::text],
        array[p_version], array[p_max_attempts], array[p_backoff], array[p_timeout], array[p_deadline],
        array[p_retention], array[p_parent], array[p_meta]) as answer;
    return;
  end if;

  insert into tasks (
    id, created_at, run_at, deadline, parent, priority, version, max_attempts, max_running, frees_key, timeout,
    retention, kind, queue, key, handler, submitted_by, tags, meta, payload
  )
  values (
    v_id, v_now, coalesce(p_run_at, v_now), p_deadline, p_parent, coalesce(p_priority, 0), coalesce(p_version, 1),
    p_max_attempts, p_max_running, p_frees_key, p_timeout, p_retention, coalesce(p_kind, 'handler'), p_queue, p_key,
    case when coalesce(p_kind, 'handler') = 'handler' then coalesce(p_handler, p_queue) else p_handler end,
    submitter(), p_tags, p_meta, p_payload
  );
  insert into deltas (queue, enqueued) values (p_queue, 1)
  returning exists (select from sleepers where queue = p_queue) into v_rings;

  if not v_queue.has_lane then
    perform open_lanes(array[p_queue], array[p_priority]);
  end if;
  if v_queue.records_events then
    perform note_events('enqueue', array[v_id], array[p_queue]);
  end if;
  if v_rings then
    perform ring(array[p_queue], coalesce(p_run_at, v_now));
  end if;
  return query select v_id, 'created';
end;
$$;
