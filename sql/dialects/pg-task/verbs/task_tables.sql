-- Task tables: made, dropped and brought up to date.

-- create_task_table() — makes a task table, or makes one of a table that is there, or brings it up to date
--
--   select pgtask.create_task_table('public', 'task');
--
-- A table of its owner's that is inserted into, updated and deleted from, and a queue of its
-- own. The schema is made if it is not there. A table that the user made keeps its columns, defaults,
-- triggers and indexes; what it lacks is added, and its rows that say PLAN are planned. A column that was
-- dropped from a task table is added again.

create or replace function create_task_table(p_schema text default 'public', p_table text default 'task')
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_relation regclass;
begin
  if coalesce(p_schema, '') = '' or coalesce(p_table, '') = ''
     or octet_length(p_schema) > 63 or octet_length(p_table) > 63
  then
    perform refuse(
      'TK004',
      format('%s cannot be the name of a task table',
             coalesce(quote_ident(p_schema) || '.' || quote_ident(p_table), 'null')),
      'Name a schema and a table of 1 to 63 bytes each.');
  end if;
  -- Not "if not exists": that asks for the right to create schemas even when this one is there.
  if to_regnamespace(quote_ident(p_schema)) is null then
    execute format('create schema %I', p_schema);
  end if;
  -- By the catalog: to_regclass() finds what the caller may not look into by an error only.
  select oid into v_relation from pg_class
  where relnamespace = quote_ident(p_schema)::regnamespace and relname = p_table;
  if v_relation is null then
    perform make_table(p_schema, p_table);
    v_relation := format('%I.%I', p_schema, p_table)::regclass;
  end if;
  perform check_table(v_relation);
  perform add_columns(v_relation, exists (select from task_tables where relation = v_relation));
  perform attach_table(v_relation);
end;
$$;

-- attach_table() — lets the engine follow a table that has all columns

create or replace function attach_table(p_relation regclass)
  returns void
  language plpgsql
as $$
declare
  v_schema text;
  v_name   text;
  v_queue  text;
  v_type   text;
  v_is_new boolean;
begin
  select nspname, relname, format_type(atttypid, null) into v_schema, v_name, v_type
  from pg_class
  join pg_namespace on pg_namespace.oid = relnamespace
  join pg_attribute on attrelid = pg_class.oid and attname = 'state'
  where pg_class.oid = p_relation;
  v_queue := format('pg_task:%I.%I', v_schema, v_name);
  -- One of that name may have been dropped, or renamed: it keeps its queue.
  perform forget_table(relation) from task_tables
  where queue = v_queue and relation <> p_relation and not exists (select from pg_class where oid = relation);
  if exists (select from task_tables where queue = v_queue and relation <> p_relation) then
    v_queue := format('%s %s', v_queue, p_relation::oid);
  end if;
  insert into task_tables (relation, schema, name, queue, state_type)
  values (p_relation, v_schema, v_name, v_queue, v_type)
  on conflict (relation) do update set schema = excluded.schema, name = excluded.name, state_type = excluded.state_type
  returning xmax = 0, queue into v_is_new, v_queue;
  if v_is_new then
    perform set_queue(v_queue, '{"on_lost": "retry"}');
    perform grant_to_operators(v_schema, v_name);
  end if;
  perform make_triggers(p_relation);
  perform plan_existing_rows(each) from task_tables as each where relation = p_relation;
end;
$$;

-- forget_table() — a task table is none any more: what waits in its queue is cancelled

create or replace function forget_table(p_relation oid)
  returns void
  language plpgsql
as $$
declare
  v_queue text;
begin
  delete from task_tables where relation = p_relation returning queue into v_queue;
  delete from remotes where queue = v_queue;
  delete from owed_writes where queue = v_queue;
  perform from cancel_many(array(select id from live_task where queue = v_queue));
end;
$$;

-- drop_task_table() — drops a task table; what waits in it is cancelled, and so is what runs
--
-- The engine keeps what has ended for the retention of the queue.

create or replace function drop_task_table(p_schema text, p_table text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_relation oid := (select relation from task_tables where schema = p_schema and name = p_table);
begin
  if v_relation is null then
    perform refuse('TK004', format('there is no task table %I.%I', p_schema, p_table),
                   'The table task_tables lists them.');
  end if;
  perform forget_table(v_relation);
  execute format('drop table if exists %I.%I', p_schema, p_table);
end;
$$;

-- refresh_task_tables() — brings all task tables up to date
--
-- A table that was dropped, or given to a role that is not trusted, is forgotten.

create or replace function refresh_task_tables()
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform forget_table(relation) from task_tables where not is_writable(relation);
  perform attach_table(relation) from task_tables;
end;
$$;

-- set_task_table() — settings of a task table
--
--   select pgtask.set_task_table('public', 'task', '{"timeout": "task"}');
--
-- `timeout` says what the column timeout is for: each "statement" (as pg_task has it), or the whole "task".
-- Tasks that are planned keep what they were inserted with.

create or replace function set_task_table(p_schema text, p_table text, p_settings jsonb)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if jsonb_typeof(p_settings) is distinct from 'object' or p_settings - 'timeout' <> '{}'
     or (p_settings ->> 'timeout') not in ('statement', 'task') then
    perform refuse('TK004', 'the settings of a task table are an object with timeout: "statement" or "task"',
                   'Write {"timeout": "task"}.');
  end if;
  update task_tables set strict_timeout = coalesce(p_settings ->> 'timeout' = 'task', strict_timeout)
  where schema = p_schema and name = p_table;
  if not found then
    perform refuse('TK004', format('there is no task table %I.%I', p_schema, p_table),
                   'The table task_tables lists them.');
  end if;
end;
$$;
