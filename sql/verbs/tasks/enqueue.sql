-- enqueue(): → queued
--
-- Stores one task and answers with its id. Only the queue is needed; a task
-- without a kind is for a handler, by default the one named like the queue.
-- With a key that is taken, on_duplicate decides and the outcome tells.
-- With p_after it waits until those tasks have ended; p_after_failure says what becomes of it
-- when one of them does not succeed: fail, skip or run.
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
  p_meta         jsonb       default null,
  p_after        bigint[]    default null,
  p_after_failure text       default null
)
  returns table (id bigint, outcome text)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_stored record;
begin
  v_stored := store_tasks(array[row(
    p_queue, p_payload, p_handler, p_kind, p_priority, p_run_at, p_key, p_on_duplicate, p_window, p_frees_key, p_groups,
    p_max_running, p_tags, p_version, p_max_attempts, p_backoff, p_timeout, p_deadline, p_retention, p_parent, p_meta,
    p_after, p_after_failure
  )::new_task]);
  id := v_stored.ids[1];
  outcome := coalesce(v_stored.outcomes[1], 'created');
  return next;
end;
$$;
