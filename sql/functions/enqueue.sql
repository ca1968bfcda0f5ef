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
  v_id bigint;
begin
  if p_groups is null and p_window is null and p_backoff is null and coalesce(p_on_duplicate, 'keep') = 'keep'
     and (p_key is not null or p_on_duplicate is null)
  then
    v_id := enqueue_plain(
      p_queue, p_payload, p_handler, p_kind, p_priority, p_run_at, p_key, p_frees_key, p_max_running, p_tags, p_version,
      p_max_attempts, p_timeout, p_deadline, p_retention, p_parent, p_meta);
  end if;
  if v_id is not null then
    id := v_id;
    outcome := 'created';
    return next;
    return;
  end if;
  return query
    select answer.id, answer.outcome
    from enqueue_many(
      array[p_queue], array[p_payload], array[p_handler], array[p_kind], array[p_priority], array[p_run_at],
      case when p_key is not null or p_on_duplicate is not null then array[p_key] end,
      array[p_on_duplicate], array[p_window], array[p_frees_key],
      case when p_groups is not null then array[p_groups::text] end, array[p_max_running], array[p_tags::text],
      array[p_version], array[p_max_attempts], array[p_backoff], array[p_timeout], array[p_deadline],
      array[p_retention], array[p_parent], array[p_meta]) as answer;
end;
$$;
