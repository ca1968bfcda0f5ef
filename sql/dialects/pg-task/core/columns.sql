-- The columns of a task table.

-- task_columns() — the columns of pg_task's table, in their order
--
-- `usual` is what a column is when nothing else says it; only columns that have one can be
-- set by pg_task.<column>. A task table must have those that are `vital`; others are added.

create or replace function task_columns()
  returns table (name text, type text, usual text, is_vital boolean, about text)
  language sql
  immutable
as $$
  values
    ('id', 'bigint', null, true, 'Primary key'),
    ('parent', 'bigint', null, false, 'The task that inserted this one, or that it repeats'),
    ('plan', 'timestamp with time zone', null, true, 'Not before this time'),
    ('start', 'timestamp with time zone', null, false, 'When it began to run'),
    ('stop', 'timestamp with time zone', null, false, 'When it ended'),
    ('active', 'interval', '1 hour', false, 'It is GONE when it has not begun so long after its plan'),
    ('live', 'interval', '0 sec', false, 'How long its session may be used for more tasks'),
    ('repeat', 'interval', '0 sec', false, 'Runs again after this time'),
    ('timeout', 'interval', '0 sec', false, 'How long it may run'),
    ('count', 'integer', '0', false, 'How many tasks its session may run'),
    ('max', 'integer', '0', false,
     'How many others of its group may run beside it; negative: milliseconds between two of the group'),
    ('pid', 'integer', null, false, 'The process of the server that runs it'),
    ('state', 'state', null, true, 'PLAN, GONE, TAKE, WORK, DONE, FAIL or STOP'),
    ('delete', 'boolean', 'true', false, 'Deleted when it succeeds and prints nothing'),
    ('drift', 'boolean', 'false', false, 'Repeats counted from its end instead of from its plan'),
    ('header', 'boolean', 'true', false, 'The output has the names of columns'),
    ('save', 'boolean', 'false', false, 'The session stays as it is for the next task'),
    ('string', 'boolean', 'true', false, 'Only text is quoted'),
    ('delimiter', '"char"', e'\t', false, 'Between the columns of the output'),
    ('escape', '"char"', '', false, 'Before quotes in the output'),
    ('quote', '"char"', '', false, 'Around values in the output'),
    ('data', 'text', null, false, 'Yours'),
    ('error', 'text', null, false, 'The error, as the log of the server has it'),
    ('group', 'text', 'group', false, 'Tasks of a group share the limit max'),
    ('input', 'text', null, true, 'The SQL'),
    ('null', 'text', e'\\N', false, 'A null in the output'),
    ('output', 'text', null, false, 'What it printed'),
    ('remote', 'text', null, false, 'A connection string: runs there instead of here');
$$;

-- default_of() — the default of a column, as SQL; null for columns that have none
--
-- The level table of `defaults` first, then the setting of the session, role, database or server, which
-- are one to Postgres, then the other levels of `defaults`, then the usual value. A setting
-- that was set and taken back reads as '', which means unset. set_defaults() puts what
-- `defaults` says into settings of the statement, so a default calls nothing that a producer needs
-- a right to.

create or replace function default_of(p_name text)
  returns text
  language sql
  stable
as $$
  select case
    when p_name = 'state' then '''PLAN'''
    when p_name = 'parent'
      then 'nullif(nullif(current_setting(''pg_task.id'', true), '''')::bigint, 0)'
    -- pg_task splices the text of its setting into the statement; here it may name a clock, or be a time.
    when p_name = 'plan' then format($default$
      case lower(coalesce(%1$s, 'statement_timestamp()'))
        when 'statement_timestamp()' then statement_timestamp()
        when 'clock_timestamp()' then clock_timestamp()
        when 'transaction_timestamp()' then transaction_timestamp()
        when 'current_timestamp' then current_timestamp
        when 'now()' then now()
        else coalesce(%1$s)::timestamptz
      end$default$, given)
    when usual is not null then format('coalesce(%s, %L)::%s', given, usual, type)
  end
  from task_columns(),
       lateral (select string_agg(format('nullif(current_setting(%L, true), '''')', level || '.' || name), ', ')
                from unnest('{pgtask_table,pg_task,pgtask_default}'::text[]) as level) as settings (given)
  where name = p_name;
$$;

-- row_text() — the columns of a task_row, as SQL, for a query over a task table alone
--
-- Without the name of the table: where the owner dropped the column max, t.max would be the aggregate max(t).

create or replace function row_text()
  returns text
  language sql
  immutable
as $$
  select string_agg(
    format(case when name in ('state', 'delimiter', 'escape', 'quote') then '%I::text' else '%I' end, name), ', '
    order by place)
  from task_columns() with ordinality as column_of (name, type, usual, is_vital, about, place)
  where name not in ('data', 'error', 'output');
$$;

-- list_missing() — the columns that a table of the user's lacks, and those without a default that works
--
-- Defaults that pg_task wrote fail without it: they read settings that only it defines. Those that
-- the user wrote stay.

create or replace function list_missing(p_relation regclass)
  returns table (name text, type text, usual text, is_there boolean, own text)
  language sql
  stable
as $$
  select known.name, known.type, known.usual, attname is not null, pg_get_expr(adbin, adrelid)
  from task_columns() as known
  left join pg_catalog.pg_attribute on attrelid = p_relation and attname = known.name and attnum > 0
    and not attisdropped
  left join pg_catalog.pg_attrdef on adrelid = attrelid and adnum = attnum
  where known.name <> 'id'
    and (attname is null
      or (default_of(known.name) is not null
          and (adbin is null
            or (pg_get_expr(adbin, adrelid) ~ 'current_setting[(]''pg_(task|work)[.]'
                and pg_get_expr(adbin, adrelid) !~ ', true[)]'))));
$$;

-- add_columns() — adds what list_missing() finds
--
-- The defaults of a table that is a task table already are its owner's.

create or replace function add_columns(p_relation regclass, p_keeps_defaults boolean default false)
  returns void
  language plpgsql
as $$
declare
  v_column record;
begin
  for v_column in select * from list_missing(p_relation) where not (is_there and p_keeps_defaults) loop
    if not v_column.is_there then
      execute format('alter table %s add column %I %s%s', p_relation, v_column.name, v_column.type,
                     case when v_column.usual is not null
                          then format(' not null default %L', v_column.usual) end);
    end if;
    perform set_column_default(p_relation, v_column.name, default_of(v_column.name))
    where default_of(v_column.name) is not null;
  end loop;
end;
$$;

create or replace function set_column_default(p_relation regclass, p_column text, p_default text)
  returns void
  language plpgsql
as $$
begin
  execute format('alter table %s alter column %I set default %s', p_relation, p_column, p_default);
end;
$$;
