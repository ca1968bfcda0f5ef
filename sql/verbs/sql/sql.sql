-- sql(): → queued, a task that runs SQL
--
--   select sql('vacuum accounts', p_run_at => now() + interval '1 hour', p_timeout => '10 minutes');
--
-- Any text, also of several statements, on a session of its own: in this database as
-- the caller, or over a registered connection. p_options are the rest of the
-- payload: role, session, settings, search_path, max_rows. Answers with the task's id.

create or replace function sql(
  p_sql          text,
  p_queue        text        default 'sql',
  p_connection   text        default null,
  p_run_at       timestamptz default null,
  p_timeout      interval    default null,
  p_max_attempts integer     default null,
  p_priority     integer     default null,
  p_key          text        default null,
  p_on_duplicate text        default null,
  p_groups       text[]      default null,
  p_options      jsonb       default '{}',
  p_after        bigint[]    default null,
  p_after_failure text       default null
)
  returns bigint
  language sql
  security definer
  set search_path from current
as $$
  select id
  from enqueue(
    p_queue, p_options || jsonb_strip_nulls(jsonb_build_object('sql', coalesce(p_sql, ''), 'connection', p_connection)),
    p_kind => 'sql', p_run_at => p_run_at, p_timeout => p_timeout, p_max_attempts => p_max_attempts,
    p_priority => p_priority, p_key => p_key, p_on_duplicate => p_on_duplicate, p_groups => p_groups,
    p_after => p_after, p_after_failure => p_after_failure);
$$;
