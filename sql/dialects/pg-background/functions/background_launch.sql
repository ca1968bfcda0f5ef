-- background_launch() — stores a task for the calls that launch; they say it in the caller's own session
--
-- Part of the caller's transaction: the task starts when that commits, and rolls back
-- with it. It runs as the caller, with the caller's search path.

create or replace function background_launch(
  p_sql         text,
  p_queue_size  integer,
  p_topics      text[],
  p_label       text,
  p_retry_count integer,
  p_timeout_ms  integer,
  p_keeps_rows  boolean,
  p_caller      jsonb
)
  returns pg_background_handle
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_topics   text[] := coalesce(p_topics, '{}');
  v_fault    text := background_topics_fault(v_topics);
  v_retries  integer := coalesce(p_retry_count, background_retry_count(v_topics));
  v_timeout  integer := coalesce(
    nullif(p_timeout_ms, 0),
    nullif(background_number('pg_background.worker_timeout', current_setting('pg_background.worker_timeout', true)), 0));
  v_defaults background_defaults;
  v_handle   pg_background_handle;
begin
  v_fault := coalesce(v_fault, case
    when p_sql is null then 'there is no SQL to run'
    when p_queue_size < 0 then format('queue_size cannot be %s', p_queue_size)
    when v_retries not between 0 and 1000000 then format('retry_count cannot be %s', v_retries)
    when v_timeout < 0 then format('timeout_ms cannot be %s', v_timeout)
  end);
  if v_fault is not null then
    perform refuse('22023', 'the background task was not launched: ' || v_fault,
                   'Topics are names: ''mail'', ''slow'' or array[''mail'', ''slow''].');
  end if;
  select * into v_defaults from background_defaults;

  v_handle.cookie := ('x' || right(gen_random_uuid()::text, 12))::bit(48)::bigint;
  select id into v_handle.pid
  from enqueue(
    'pg_background',
    p_caller || jsonb_build_object('sql', p_sql) || case when p_keeps_rows then '{}' else '{"max_rows": 0}'::jsonb end,
    p_kind => 'sql', p_groups => background_groups(v_topics), p_max_attempts => nullif(v_retries, 0) + 1,
    p_timeout => make_interval(secs => v_timeout / 1000.0),
    -- Without retries an error is the end, but a task that lost its worker still comes back.
    p_backoff => case when v_retries = 0 then '{"kind": "never"}' else jsonb_build_object(
      'kind', 'exponential', 'base', '1 second',
      'cap', make_interval(secs => coalesce(v_defaults.max_retry_delay_in_sec, 3600)),
      'jitter', coalesce(v_defaults.retry_jitter, 0)) end,
    p_meta => jsonb_build_object('pg_background', jsonb_build_object(
      'cookie', v_handle.cookie::text, 'label', p_label, 'topics', v_topics, 'queue_size', coalesce(p_queue_size, 0),
      'keeps_rows', p_keeps_rows, 'xid', pg_current_xact_id()::text)));
  return v_handle;
end;
$$;
