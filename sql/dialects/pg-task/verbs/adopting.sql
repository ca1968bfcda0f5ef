-- Taking over the tables of an installation of pg_task, and giving them back.

-- adopt_task_table() — a table that pg_task made becomes a task table, in its place
--
--   select * from pgtask.adopt_task_table('public', 'task', true);    -- says what would happen
--   select * from pgtask.adopt_task_table('public', 'task');
--
-- Rows, ids, columns, indexes and triggers stay; rows that say PLAN, TAKE or WORK are planned. The
-- trigger that woke pg_task is switched off and kept under another name, with its function, until
-- drop_adopted(). release_task_table() takes everything back. Answers with the steps.

create or replace function adopt_task_table(
  p_schema text default 'public', p_table text default 'task', p_is_dry boolean default false
)
  returns setof text
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_relation regclass := (
    select oid from pg_class
    where relnamespace = to_regnamespace(quote_ident(p_schema)) and relname = p_table);
begin
  if v_relation is null then
    perform refuse('TK004', format('there is no table %I.%I', p_schema, p_table),
                   'Name the table of pg_task: --table schema.table.');
  end if;
  if exists (select from task_tables where relation = v_relation) then
    perform refuse('TK004', format('%s is a task table already', v_relation), 'There is nothing to adopt.');
  end if;
  perform check_unused(v_relation);
  perform check_table(v_relation, true);
  if not p_is_dry then
    perform lock_in_time(v_relation);
  end if;
  return query select describe_adoption(v_relation);
  if p_is_dry then
    return;
  end if;

  perform put_away_wake_up(v_relation, p_table);
  perform add_states(v_relation);
  perform add_columns(v_relation);
  perform hide_passwords(v_relation, format('pg_task:%I.%I', p_schema, p_table));
  perform attach_table(v_relation);
end;
$$;

-- release_task_table() — a task table is none any more; one that was adopted is as pg_task made it
--
-- What waits in the engine is deleted there and stays PLAN in the table; what runs is cancelled and is PLAN, too.

create or replace function release_task_table(p_schema text, p_table text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_table   task_tables;
  v_adopted adopted_tables;
  v_name    text;
begin
  select * into v_table from task_tables where schema = p_schema and name = p_table;
  if not found then
    perform refuse('TK004', format('there is no task table %I.%I', p_schema, p_table),
                   'The table task_tables lists them.');
  end if;
  perform lock_in_time(v_table.relation::regclass);
  perform write_owed(2147483647);
  foreach v_name in array '{defaults,remote,insert,update,delete,truncate}'::text[] loop
    execute format('drop trigger %I on %s', 'pgtask_' || v_name, v_table.relation::regclass);
  end loop;
  execute format('update %s as t set remote = given.remote from remotes as given where queue = %L and t.id = given.id',
                 v_table.relation::regclass, v_table.queue);
  perform forget_table(v_table.relation);
  execute format('update %s set state = ''PLAN'', start = null, stop = null, pid = null '
                 'where state in (''TAKE'', ''WORK'')', v_table.relation::regclass);

  delete from adopted_tables where relation = v_table.relation returning * into v_adopted;
  if not found then
    return;
  end if;
  perform set_column_default(v_table.relation, key, value) from jsonb_each_text(v_adopted.defaults);
  if v_adopted.trigger is not null then
    execute format('alter table %s enable trigger %I', v_table.relation::regclass, v_adopted.trigger);
    execute format('alter trigger %I on %s rename to %I', v_adopted.trigger, v_table.relation::regclass,
                   p_table || '_wake_up');
  end if;
  if v_adopted.function is not null then
    execute format('alter function %I.%I() rename to %I', p_schema, v_adopted.function, p_table || '_wake_up');
  end if;
end;
$$;

-- drop_adopted() — forgets how to give an adopted table back, and drops what was kept for that

create or replace function drop_adopted(p_schema text, p_table text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_adopted adopted_tables;
begin
  delete from adopted_tables
  where relation = (select relation from task_tables where schema = p_schema and name = p_table)
  returning * into v_adopted;
  if not found then
    perform refuse('TK004',
                   format('%I.%I was not adopted, or what was kept of it is dropped already', p_schema, p_table),
                   'The table adopted_tables lists them.');
  end if;
  if v_adopted.trigger is not null then
    execute format('drop trigger %I on %s', v_adopted.trigger, v_adopted.relation::regclass);
  end if;
  if v_adopted.function is not null then
    execute format('drop function %I.%I()', p_schema, v_adopted.function);
  end if;
end;
$$;
