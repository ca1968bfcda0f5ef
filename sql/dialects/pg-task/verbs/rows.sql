-- What writing to a task table does: its triggers.

-- set_defaults() — before an INSERT: what the table `defaults` says, as settings for this statement
--
-- The defaults of the columns read them; see default_of().

create or replace function set_defaults()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_is_set boolean := current_setting('pgtask.has_defaults', true) = 'yes';
  v_role   text;
begin
  if not exists (select from defaults) then
    if v_is_set then
      perform set_config(level || '.' || name, '', true), set_config('pgtask.has_defaults', '', true)
      from task_columns(), unnest('{pgtask_table,pgtask_default}'::text[]) as level;
    end if;
    return null;
  end if;
  v_role := session_role();
  perform set_config('pgtask.has_defaults', 'yes', true),
          set_config('pgtask_table.' || known.name, coalesce((
            select value from defaults
            where level = 'table' and name = known.name
              and "for" = format('%I.%I', tg_table_schema, tg_table_name)), ''), true),
          set_config('pgtask_default.' || known.name, coalesce((
            select value from defaults
            where name = known.name and (level in ('configuration', 'database') or (level = 'user' and "for" = v_role))
            order by array_position('{user,database,configuration}', level)
            limit 1), ''), true)
  from task_columns() as known
  where known.usual is not null or known.name = 'plan';
  return null;
end;
$$;

-- check_default() — refuses a row of `defaults` that no INSERT could use

create or replace function check_default()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_type text := (select type from task_columns() where name = new.name and (usual is not null or name = 'plan'));
begin
  if new.level not in ('configuration', 'database', 'user', 'table') then
    perform refuse('TK004', format('unknown level %L of defaults', new.level),
                   'The levels are configuration, database, user and table; use SET for a session.');
  end if;
  if v_type is null then
    perform refuse('TK004', format('the column %L cannot have a default', new.name),
                   format('It may be %s.',
                          (select string_agg(name, ', ') from task_columns() where usual is not null)));
  end if;
  if (new."for" = '') <> (new.level in ('configuration', 'database')) then
    perform refuse('TK004',
                   format('the level %s %s', new.level,
                          case when new."for" = '' then 'needs a name' else 'takes no name' end),
                   'In "for", name the role of the level user, or schema.table of the level table.');
  end if;
  begin
    if new.name <> 'plan'
       or new.value !~* '^((statement|clock|transaction)_timestamp[(][)]|now[(][)]|current_timestamp)$' then
      execute format('select %L::%s', new.value, v_type);
    end if;
  exception when data_exception then
    perform refuse('TK004', format('%L cannot be the default of %s: %s', new.value, new.name, sqlerrm),
                   format('Give a value of type %s.', v_type));
  end;
  return new;
end;
$$;

-- hide_remote() — before a row with a connection string is stored: its password goes elsewhere
--
-- Shown again, the string without its password stands for the one that was given.

create or replace function hide_remote()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_table  task_tables := table_of(tg_relid);
  v_hidden text := hidden(new.remote);
begin
  if v_table.queue is null or (tg_op = 'UPDATE' and new.remote is not distinct from old.remote) then
    return new;
  end if;
  delete from remotes where queue = v_table.queue and id = new.id;
  if v_hidden <> new.remote then
    insert into remotes (queue, id, remote) values (v_table.queue, new.id, new.remote);
    new.remote := v_hidden;
  end if;
  return new;
end;
$$;

-- follow_rows() — after an INSERT, UPDATE, DELETE or TRUNCATE: the engine follows
--
-- Runs as the role that wrote the row, unless an admin allowed another role; see allow_sql().

create or replace function follow_rows()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
  set intervalstyle = 'postgres'
as $$
declare
  v_table  task_tables := table_of(tg_relid);
  v_before task_row[];
  v_after  task_row[];
begin
  if v_table.queue is null then
    return null;
  end if;
  if tg_op = 'TRUNCATE' then
    delete from remotes where queue = v_table.queue;
    perform from delete_many(array(select id from live_task where queue = v_table.queue));
    return null;
  end if;
  -- The columns by name: others of the table are the user's, and their types may call anything. Without an alias:
  -- where the owner dropped the column max, t.max would be the aggregate max(t).
  if tg_op <> 'DELETE' then
    select array_agg(row(
      id, parent, plan, start, stop, active, live, repeat, timeout, count, max, pid, state::text, delete, drift, header,
      save, string, delimiter::text, escape::text, quote::text, "group", input, "null", remote)::task_row order by id)
    into v_after
    from rows_after;
  end if;
  if tg_op = 'INSERT' then
    perform insert_rows(v_after, v_table) where v_after is not null;
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform delete_rows(array(select id from rows_before), v_table.queue);
    return null;
  end if;
  select array_agg(row(
    id, parent, plan, start, stop, active, live, repeat, timeout, count, max, pid, state::text, delete, drift, header,
    save, string, delimiter::text, escape::text, quote::text, "group", input, "null", remote)::task_row order by id)
  into v_before
  from rows_before;
  perform update_rows(v_before, v_after, v_table) where v_after is not null;
  return null;
end;
$$;
