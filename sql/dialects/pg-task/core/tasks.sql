-- From a row to a task of the engine.

-- engine_task() — what a row of a task table is to the engine
--
-- A limit and an order: at most max others run beside it in its group, and higher
-- maxes go first. A negative max is one at a time, in a second group that is held
-- back for the pause. Only errors are final; a task that lost its worker runs again.
-- What the engine needs of the row after the run stands in meta.

create or replace function engine_task(p_row task_row, p_table task_tables, p_zone text)
  returns new_task
  language plpgsql
as $$
declare
  v_task  new_task;
  v_group text := group_name(p_table.queue, p_row."group", p_row.remote);
begin
  v_task.queue := p_table.queue;
  v_task.key := p_row.id::text;
  v_task.kind := 'sql';
  v_task.version := 1;
  v_task.run_at := p_row.plan;
  v_task.deadline := case when p_row.repeat = interval '0' and p_row.max >= 0 then p_row.plan + p_row.active end;
  v_task.timeout := case when p_table.strict_timeout then nullif(p_row.timeout, interval '0') end;
  v_task.priority := greatest(p_row.max, 0);
  v_task.max_running := least(greatest(p_row.max, 0), 2147483646) + 1;
  v_task.groups := case when p_row.max < 0 then array[v_group, pause_name(v_group)] else array[v_group] end;
  v_task.backoff := '{"kind": "never"}';
  v_task.meta := jsonb_build_object('pg_task', jsonb_build_object(
    'row', p_row.id, 'zone', p_zone, 'max', p_row.max, 'drift', p_row.drift, 'delete', p_row.delete));
  v_task.payload := jsonb_build_object(
      'sql', p_row.input,
      'whole', true,
      'announced', true,
      'settings', jsonb_build_object(
        'application_name', format('pg_task %s %s %s', p_table.schema, p_table.name, p_row."group"),
        'pg_task.id', p_row.id::text, 'pg_task.group', p_row."group", 'pg_task.schema', p_table.schema,
        'pg_task.table', p_table.name, 'pg_task.oid', p_table.relation::text)
        || timeout_setting(p_row, p_table.strict_timeout))
    || case when p_row.remote is null then '{}'
            else jsonb_build_object('connection', jsonb_build_object('dsn', p_row.remote)) end
    -- The original runs a text without statements.
    || case when is_empty_sql(p_row.input) then '{"allow_empty": true}' else '{}'::jsonb end
    || case when p_row.max < 0 or (p_row.count = 0 and p_row.live = interval '0') then '{}'
            else jsonb_build_object('session', jsonb_build_object(
              'live', p_row.live, 'count', p_row.count, 'save', p_row.save, 'scope', v_group)) end;
  return v_task;
end;
$$;

-- timeout_setting() — the timeout of each statement, as pg_task has it
--
-- Here none means without end, whatever the server is set to; elsewhere it means what is set there.

create or replace function timeout_setting(p_row task_row, p_is_strict boolean)
  returns jsonb
  language sql
  immutable
as $$
  select case
    when p_is_strict or (p_row.timeout = interval '0' and p_row.remote is not null) then '{}'
    else jsonb_build_object(
      'statement_timeout', least(ceil(extract(epoch from p_row.timeout) * 1000), 2147483647)::bigint)
  end;
$$;

-- plan_rows() — → queued: tasks for rows that say PLAN
--
-- By thousands, so that a long statement needs no more memory. p_as: the repetition
-- that the row is; it runs in the name of the role that inserted the first.

create or replace function plan_rows(p_rows task_row[], p_table task_tables, p_as repeating default null)
  returns void
  language plpgsql
as $$
declare
  c_bulk constant integer := 5000;
  v_zone  text := coalesce(p_as.zone, current_setting('TimeZone'));
  v_row   task_row;
  v_task  new_task;
  v_tasks new_task[] := '{}';
begin
  foreach v_row in array p_rows loop
    v_task := engine_task(v_row, p_table, v_zone);
    if p_as.role is not null and v_row.remote is null then
      v_task.payload := v_task.payload || jsonb_build_object('role', p_as.role);
    end if;
    v_tasks := v_tasks || v_task;
    if cardinality(v_tasks) = c_bulk then
      perform store_planned(v_tasks, p_table, p_as.submitted_by);
      v_tasks := '{}';
    end if;
  end loop;
  perform store_planned(v_tasks, p_table, p_as.submitted_by);
end;
$$;

-- store_planned() — stores the tasks of rows, in the name of p_by, by default of the caller
--
-- A repetition was allowed when the first of its chain was inserted.

create or replace function store_planned(p_tasks new_task[], p_table task_tables, p_by text)
  returns void
  language plpgsql
as $$
declare
  v_outcomes text[];
  v_place    integer;
begin
  if p_by is null then
    v_outcomes := (store_tasks(p_tasks)).outcomes;
  else
    p_tasks := array(select with_live_ms(task) from unnest(p_tasks) as task);
    v_outcomes := (store_tasks(p_tasks, p_is_checked => true, p_by => p_by)).outcomes;
  end if;
  v_place := array_position(array(select outcome <> 'created' from unnest(v_outcomes) as outcome), true);
  if v_place is not null then
    perform refuse(
      'TK004', format('row %s of %I.%I has a task already', (p_tasks[v_place]).key, p_table.schema, p_table.name),
      'Delete that task first, or give the row another id.');
  end if;
end;
$$;

-- with_live_ms() — a task as check_tasks() would have completed it

create or replace function with_live_ms(p_task new_task)
  returns new_task
  language plpgsql
  stable
as $$
begin
  p_task.payload := sql_payload(p_task.payload, p_task.payload ->> 'role');
  return p_task;
end;
$$;

-- amend_task() — makes a live task what its row says now
--
-- Its run goes on as it began. A task that already is what the row says is left alone: the
-- dialect writes to rows too.

create or replace function amend_task(p_task bigint, p_row task_row, p_table task_tables)
  returns void
  language plpgsql
as $$
declare
  v_old  live_task;
  v_new  new_task;
  v_same boolean;
begin
  select * into v_old from live_task where id = p_task;
  if not found then
    return;
  end if;
  v_new := engine_task(p_row, p_table, v_old.meta #>> '{pg_task,zone}');
  v_same := v_new.payload = (v_old.payload - 'role') #- '{session,live_ms}';
  perform amend(p_task, jsonb_build_object('meta', v_new.meta)
    || case when v_same then '{}' else jsonb_build_object('payload', v_new.payload) end
    || case when v_old.claim is not null then '{}' else jsonb_build_object(
         'run_at', v_new.run_at, 'deadline', v_new.deadline, 'priority', v_new.priority,
         'max_running', v_new.max_running, 'groups', to_jsonb(v_new.groups), 'timeout', v_new.timeout) end);
end;
$$;
