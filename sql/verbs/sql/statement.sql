-- statement(): → queued, a task that runs a registered statement
--
--   select statement('switch_on', '{"account": 7}');
--
-- For those who may not send SQL of their own: the text, the role and the database
-- are those of the registration, the parameters are bound. Answers with the task's id.

create or replace function statement(
  p_name         text,
  p_params       jsonb       default null,
  p_queue        text        default 'sql',
  p_run_at       timestamptz default null,
  p_timeout      interval    default null,
  p_max_attempts integer     default null,
  p_priority     integer     default null,
  p_key          text        default null,
  p_on_duplicate text        default null,
  p_groups       text[]      default null,
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
    p_queue, jsonb_strip_nulls(jsonb_build_object('statement', p_name))
      || case when p_params is null then '{}' else jsonb_build_object('params', p_params) end,
    p_kind => 'sql', p_run_at => p_run_at, p_timeout => p_timeout, p_max_attempts => p_max_attempts,
    p_priority => p_priority, p_key => p_key, p_on_duplicate => p_on_duplicate, p_groups => p_groups,
    p_after => p_after, p_after_failure => p_after_failure);
$$;
