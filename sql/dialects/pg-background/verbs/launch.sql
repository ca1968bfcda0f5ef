-- Start a statement in the background.

-- background_launch() — stores a task for the calls that launch; they say it in the caller's own session
--
-- Part of the caller's transaction: the task starts when that commits, and rolls back
-- with it; where a loopback connection is registered, it starts at once. It runs as the caller,
-- with the caller's search path.

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
    nullif(
      background_number('pg_background.worker_timeout', current_setting('pg_background.worker_timeout', true)), 0));
  v_defaults background_defaults;
  v_loopback text;
  v_task     new_task;
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

  v_loopback := (select connection from background_loopback);
  v_handle.cookie := ('x' || right(gen_random_uuid()::text, 12))::bit(48)::bigint;
  v_task.queue := 'pg_background';
  v_task.kind := 'sql';
  v_task.payload := p_caller || jsonb_build_object('sql', p_sql)
    || case when p_keeps_rows then '{"whole": true}'::jsonb else '{"max_rows": 0}' end
    -- The original runs a text without statements, and retries whatever failed.
    || case when is_empty_sql(p_sql) then '{"allow_empty": true}' else '{}'::jsonb end;
  v_task.groups := background_groups(v_topics);
  v_task.max_attempts := nullif(v_retries, 0) + 1;
  v_task.timeout := make_interval(secs => v_timeout / 1000.0);
  -- Without retries an error is the end, but a task that lost its worker still comes back.
  v_task.backoff := case when v_retries = 0 then '{"kind": "never"}' else jsonb_build_object(
    'kind', 'exponential', 'base', '1 second', 'on_permanent', 'retry',
    'cap', make_interval(secs => coalesce(v_defaults.max_retry_delay_in_sec, 3600)),
    'jitter', coalesce(v_defaults.retry_jitter, 0)) end;
  v_task.meta := jsonb_build_object('pg_background', jsonb_build_object(
    'cookie', v_handle.cookie::text, 'label', p_label, 'topics', v_topics, 'queue_size', coalesce(p_queue_size, 0),
    'keeps_rows', p_keeps_rows, 'xid', case when v_loopback is null then pg_current_xact_id()::text end));
  v_handle.pid := case when v_loopback is null then (store_tasks(array[v_task])).ids[1]
                       else background_launch_apart(v_loopback, v_task) end;
  return v_handle;
end;
$$;

-- pg_background_launch() — runs SQL in the background; answers with the task's id at once
--
--   select pg_background_launch('vacuum accounts');
--   select pg_background_launch('select refresh()', 65536, 'reports', 'slow');
--   select pg_background_launch('select refresh()', topics => array['reports'], retry_count => 3);
--
-- A task with several topics starts when each of them has room. queue_size means
-- nothing here. These bodies are bound when they are made, so that they can leave the
-- caller's search path alone and hand it on.

create or replace function pg_background_launch(
  sql         text,
  queue_size  integer default 65536,
  topics      text[]  default '{}',
  label       text    default null,
  retry_count integer default null,
  timeout_ms  integer default null
)
  returns bigint
  language sql
begin atomic
  select (background_launch(sql, queue_size, topics, label, retry_count, timeout_ms, true, background_caller())).pid;
end;

create or replace function pg_background_launch(sql text, queue_size integer, variadic topics text[])
  returns bigint
  language sql
begin atomic
  select (background_launch(sql, queue_size, topics, null, null, null, true, background_caller())).pid;
end;

-- The third argument is how often it may be tried again.
create or replace function pg_background_launch(sql text, queue_size integer, retry_count integer)
  returns bigint
  language sql
begin atomic
  select (background_launch(sql, queue_size, '{}', null, retry_count, null, true, background_caller())).pid;
end;

-- pg_background_launch_v2() — as pg_background_launch(), but answers with a handle

create or replace function pg_background_launch_v2(
  sql         text,
  queue_size  integer default 0,
  label       text    default null,
  topics      text[]  default '{}',
  retry_count integer default null,
  timeout_ms  integer default null
)
  returns pg_background_handle
  language sql
begin atomic
  select background_launch(sql, queue_size, topics, label, retry_count, timeout_ms, true, background_caller());
end;

-- pg_background_submit() — as pg_background_launch_v2(), but no rows are kept

create or replace function pg_background_submit(
  sql         text,
  queue_size  integer default 0,
  label       text    default null,
  topics      text[]  default '{}',
  retry_count integer default null,
  timeout_ms  integer default null
)
  returns pg_background_handle
  language sql
begin atomic
  select background_launch(sql, queue_size, topics, label, retry_count, timeout_ms, false, background_caller());
end;

create or replace function pg_background_submit_v2(
  sql         text,
  queue_size  integer default 0,
  label       text    default null,
  topics      text[]  default '{}',
  retry_count integer default null,
  timeout_ms  integer default null
)
  returns pg_background_handle
  language sql
begin atomic
  select background_launch(sql, queue_size, topics, label, retry_count, timeout_ms, false, background_caller());
end;

-- pg_background_run() — launches a task, commits, and waits for its end: CALL pg_background_run('vacuum accounts')
--
-- A procedure, because a task starts when the transaction that launched it commits;
-- so it cannot be called inside a transaction block. After timeout_ms the task is
-- cancelled. The last argument says where the dialect is; leave it as it is.

create or replace procedure pg_background_run(
  sql                 text,
  queue_size          integer default 0,
  timeout_ms          integer default 0,
  label               text    default null,
  inout pid           bigint  default null,
  inout cookie        bigint  default null,
  inout state         text    default null,
  inout completed     boolean default null,
  inout has_error     boolean default null,
  inout row_count     bigint  default null,
  inout command_tag   text    default null,
  inout sqlstate      text    default null,
  inout error_message text    default null,
  inout timed_out     boolean default null,
  inout elapsed_ms    bigint  default null,
  dialect             text    default background_schema()
)
  language plpgsql
as $$
declare
  v_began timestamptz := pg_catalog.clock_timestamp();
begin
  execute pg_catalog.format('select * from %I.pg_background_launch_v2($1, $2, $3)', dialect)
  into pid, cookie using sql, queue_size, label;
  commit;
  execute pg_catalog.format('select not %I.pg_background_wait($1, $2, $3)', dialect)
  into timed_out using pid, cookie, timeout_ms;
  if timed_out then
    execute pg_catalog.format('select %I.pg_background_cancel($1, $2)', dialect) using pid, cookie;
    commit;
  end if;
  execute pg_catalog.format(
    'select state, completed, has_error, row_count, command_tag, sqlstate, error_message
     from %I.pg_background_outcome($1, $2)', dialect)
  into state, completed, has_error, row_count, command_tag, sqlstate, error_message using pid, cookie;
  execute pg_catalog.format('select %I.pg_background_detach($1, $2)', dialect) using pid, cookie;
  elapsed_ms := pg_catalog.date_part('epoch', pg_catalog.clock_timestamp() - v_began) * 1000;
end;
$$;

-- pg_background_run_query() — as pg_background_run(), but gives the rows, or raises the task's error
--
--   call pg_background_run_query('select 1 as n');   -- result: [{"n": 1}]

create or replace procedure pg_background_run_query(
  sql          text,
  queue_size   integer default 0,
  timeout_ms   integer default 0,
  label        text    default null,
  inout result jsonb   default null,
  dialect      text    default background_schema()
)
  language plpgsql
as $$
declare
  v_pid   bigint;
  v_ended boolean;
begin
  execute pg_catalog.format('select pid from %I.pg_background_launch_v2($1, $2, $3)', dialect)
  into v_pid using sql, queue_size, label;
  commit;
  execute pg_catalog.format('select %I.pg_background_wait($1, timeout_ms => $2)', dialect)
  into v_ended using v_pid, timeout_ms;
  execute pg_catalog.format('select %I.pg_background_detach($1)', dialect) using v_pid;
  if not v_ended then
    execute pg_catalog.format('select %I.pg_background_cancel($1)', dialect) using v_pid;
    commit;
    raise exception using
      errcode = '57014', message = pg_catalog.format('background task %s did not end within %s ms', v_pid, timeout_ms),
      hint = 'It was cancelled.';
  end if;
  execute pg_catalog.format(
    'select coalesce(jsonb_agg(value), ''[]'') from %I.pg_background_rows($1) as value', dialect)
  into result using v_pid;
end;
$$;
