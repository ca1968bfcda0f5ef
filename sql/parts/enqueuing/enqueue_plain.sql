-- enqueue_plain() — → queued: one task that asks for nothing special
--
-- Most tasks come alone, without groups, windows or a backoff of their own: they take
-- four statements. Answers with the id, or null when nothing was stored: the task is to
-- be refused, its key is taken, or it is more than plain. Then the way of a bulk,
-- enqueue_many(), says what becomes of it. Whoever has checked the task says so
-- (p_is_checked): what task_fault() asks takes as long to prepare as to store a row. And
-- whoever made up the key, so that nobody can have it, says that (p_is_new_key): to insert
-- what may be there takes half as long again.

create or replace function enqueue_plain(
  p_queue        text,
  p_payload      jsonb,
  p_handler      text,
  p_kind         text,
  p_priority     integer,
  p_run_at       timestamptz,
  p_key          text,
  p_frees_key    boolean     default null,
  p_max_running  integer     default null,
  p_tags         text[]      default null,
  p_version      integer     default null,
  p_max_attempts integer     default null,
  p_timeout      interval    default null,
  p_deadline     timestamptz default null,
  p_retention    interval    default null,
  p_parent       bigint      default null,
  p_meta         jsonb       default null,
  p_is_checked   boolean     default false,
  p_is_new_key   boolean     default false
)
  returns bigint
  language plpgsql
  set search_path from current
as $$
declare
  v_now   timestamptz := clock_timestamp();
  v_id    bigint;
  v_queue record;
  v_rings boolean;
begin
  if not p_is_checked then
    if p_kind = 'sql'
       or task_fault(
         p_queue, p_payload, p_kind, p_handler, p_priority, p_version, p_run_at, p_deadline, p_key, null, null,
         p_max_attempts, p_max_running, p_timeout, p_retention, v_now) is not null
       or (p_tags is not null and tags_fault(p_tags) is not null)
       or pg_column_size(p_meta) > bound('meta')
    then
      return null;
    end if;
  end if;

  select common.has_grants, coalesce(own.max_payload, common.max_payload) as max_payload, coalesce(own.is_fair, false) as is_fair,
         coalesce(own.records_events, false) or coalesce(common.followed_until > v_now, false) as is_followed,
         current_setting('transaction_isolation') in ('read committed', 'read uncommitted')
           and exists (select from lanes where queue = p_queue and priority = coalesce(p_priority, 0) and closing_by is null)
           as has_lane,
         case when own.keeps_keys then timestamptz 'infinity' else '-infinity' end as key_until
  into v_queue
  from queues as common
  left join queues as own on own.name = p_queue
  where common.name = '*';
  if v_queue.has_grants then
    perform require_queues('enqueue', array[p_queue]);
  end if;
  if v_queue.is_fair or pg_column_size(p_payload) > v_queue.max_payload then
    return null;
  end if;
  v_id := nextval('task_ids');
  if p_is_new_key then
    insert into keys (queue, key, task, until) values (p_queue, p_key, v_id, v_queue.key_until);
  elsif p_key is not null then
    insert into keys (queue, key, task, until) values (p_queue, p_key, v_id, v_queue.key_until)
    on conflict (queue, key) do nothing;
    if not found then
      return null;
    end if;
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
  if v_queue.is_followed then
    perform note_events('enqueue', array[v_id], array[p_queue]);
  end if;
  if v_rings then
    perform ring(array[p_queue], coalesce(p_run_at, v_now));
  end if;
  return v_id;
end;
$$;
