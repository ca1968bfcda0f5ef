-- The parts of taking over a table of pg_task.

-- check_unused() — refuses a table that pg_task still serves
--
-- pg_task holds locks that pg_locks shows: of objsubid 3 for each table that it serves, of 4 for each
-- task that runs, in the table that stands where others have the database.

create or replace function check_unused(p_relation regclass)
  returns void
  language plpgsql
as $$
declare
  v_pid     integer;
  v_subid   smallint;
begin
  select pid, objsubid into v_pid, v_subid
  from pg_catalog.pg_locks
  where locktype = 'userlock'
    and ((objsubid = 3 and database = (select oid from pg_catalog.pg_database where datname = current_database()))
      or (objsubid = 4 and database = p_relation))
  order by objsubid desc
  limit 1;
  if found then
    perform refuse(
      'TK003',
      case v_subid when 3 then format('pg_task serves this database (process %s)', v_pid)
                   else format('pg_task still runs a task of %s (process %s)', p_relation, v_pid) end,
      'Take the table out of pg_task.json, reload the configuration, and wait for what runs.');
  end if;
end;
$$;

-- lock_in_time() — waits for the transactions that use a table, and keeps others out until the end of this one
--
-- Not for long: statements that come meanwhile wait behind this lock.

create or replace function lock_in_time(p_relation regclass)
  returns void
  language plpgsql
as $$
declare
  v_before text := current_setting('lock_timeout');
begin
  perform set_config('lock_timeout', '5s', true);
  execute format('lock table %s in access exclusive mode', p_relation);
  perform set_config('lock_timeout', v_before, true);
exception when lock_not_available then
  perform refuse(
    'TK003',
    format('the table %s is in use%s', p_relation,
           (select format(' by process %s', min(pid)) from pg_catalog.pg_locks
            where relation = p_relation and granted and pid <> pg_backend_pid() having count(*) > 0)),
    'Nothing was changed. Wait for that transaction or end it, and begin again.');
end;
$$;

-- describe_adoption() — what adopting a table does to it, step by step

create or replace function describe_adoption(p_relation regclass)
  returns setof text
  language plpgsql
  stable
as $$
declare
  v_name text := (select relname from pg_catalog.pg_class where oid = p_relation);
begin
  return query execute format(
    'select case when state::text in (''PLAN'', ''TAKE'', ''WORK'') then ''plan '' else ''keep '' end
            || count(*) || '' rows that say '' || state::text
     from %s group by state order by state::text', p_relation);
  return query
    select format('switch off the trigger %I and keep it as %s', tgname, kept_name(v_name))
    from pg_catalog.pg_trigger where tgrelid = p_relation and tgname = v_name || '_wake_up';
  return query
    select format('add the state %s to the type %s', label, atttypid::regtype)
    from pg_catalog.pg_attribute
    join pg_catalog.pg_type on pg_type.oid = atttypid and typtype = 'e'
    cross join unnest('{PLAN,GONE,TAKE,WORK,DONE,FAIL,STOP}'::text[]) as label
    where attrelid = p_relation and attname = 'state'
      and not exists (select from pg_catalog.pg_enum where enumtypid = atttypid and enumlabel = label);
  return query
    select case when is_there then format('replace the default of %I', name) else format('add the column %I', name) end
    from list_missing(p_relation)
    order by 1;
  return query execute format(
    'select ''keep the passwords of '' || count(*) || '' connection strings out of the table'' from %s
     where remote is not null having count(*) > 0', p_relation)
  ;
end;
$$;

-- kept_name() — what the trigger and the function that woke pg_task are called after the table was adopted

create or replace function kept_name(p_table text)
  returns text
  language sql
  immutable
as $$
  select left(p_table, 43) || '_wake_up_pg_task';
$$;

-- put_away_wake_up() — switches off the trigger that woke pg_task, and remembers the defaults

create or replace function put_away_wake_up(p_relation regclass, p_table text)
  returns void
  language plpgsql
as $$
declare
  v_adopted adopted_tables;
  v_old     text := p_table || '_wake_up';
  v_schema  oid := (select relnamespace from pg_catalog.pg_class where oid = p_relation);
begin
  v_adopted.relation := p_relation;
  v_adopted.since := now();
  select coalesce(jsonb_object_agg(name, own), '{}') into v_adopted.defaults
  from list_missing(p_relation) where is_there and own is not null;
  if exists (select from pg_catalog.pg_trigger where tgrelid = p_relation and tgname = v_old) then
    v_adopted.trigger := kept_name(p_table);
    execute format('alter trigger %I on %s rename to %I', v_old, p_relation, v_adopted.trigger);
    execute format('alter table %s disable trigger %I', p_relation, v_adopted.trigger);
  end if;
  if exists (select from pg_catalog.pg_proc where pronamespace = v_schema and proname = v_old and pronargs = 0) then
    v_adopted.function := kept_name(p_table);
    execute format('alter function %s.%I() rename to %I', v_schema::regnamespace, v_old, v_adopted.function);
  end if;
  insert into adopted_tables values (v_adopted.*);
end;
$$;

-- add_states() — the states that an older pg_task did not have

create or replace function add_states(p_relation regclass)
  returns void
  language plpgsql
as $$
declare
  v_type  regtype := (select atttypid from pg_catalog.pg_attribute where attrelid = p_relation and attname = 'state');
  v_label text;
begin
  if not exists (select from pg_catalog.pg_type where oid = v_type and typtype = 'e') then
    return;
  end if;
  foreach v_label in array '{GONE,FAIL}'::text[] loop
    execute format('alter type %s add value if not exists %L', v_type, v_label);
  end loop;
end;
$$;

-- hide_passwords() — puts connection strings with a password where only the dialect reads them

create or replace function hide_passwords(p_relation regclass, p_queue text)
  returns void
  language plpgsql
as $$
begin
  execute format(
    'insert into remotes (queue, id, remote) select %L, id, remote from %s where hidden(remote) <> remote',
    p_queue, p_relation);
  execute format('update %s set remote = hidden(remote) where hidden(remote) <> remote', p_relation);
end;
$$;
