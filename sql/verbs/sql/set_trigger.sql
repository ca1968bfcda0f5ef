-- set_trigger() — has a task enqueued for each row of a table that changes; null ends it
--
--   select set_trigger('payments', 'settle', '{
--     "on": ["insert"], "statement": "settle", "params": {"account": "account_id"}, "key": ["account_id"]}');
--
-- The task is part of the transaction that changes the row. It runs a registered
-- statement (its params are columns of the row, by default those of their names), or
-- is a document or for a handler, with the row as its payload: {trigger, table, op,
-- old, new}. It is enqueued in the name of the caller, whichever role changes the row.
--
-- With a key, rows with the same values in those columns share one task while it
-- waits: the newest replaces it, and it starts after the last of them has committed.
-- Rows that change while it runs make another.

create or replace function set_trigger(p_table regclass, p_name text, p_trigger jsonb)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('trigger', p_name);
  c_names  constant text[] := '{on,columns,statement,params,kind,handler,queue,key,on_duplicate,window,delay,priority,'
                              'max_attempts,timeout}';
  v_by     text := submitter();
  v_old    row_triggers;
begin
  -- Postgres cuts what is longer, and two names would become one.
  if coalesce(p_name, '') = '' or octet_length('tusk_' || p_name) > 63 then
    perform refuse('TK004', 'the name of a trigger must have 1 to 58 bytes', 'Choose another name.');
  end if;
  if not exists (select from pg_class where oid = p_table) then
    perform refuse('TK004', 'a trigger needs a table', 'Name an existing table.');
  end if;
  if not has_table_privilege(v_by, p_table, 'trigger') then
    perform refuse('TK004', format('%s may not create triggers on %s', v_by, p_table),
                   'Ask the owner of the table for the right TRIGGER.');
  end if;
  -- Two who make the same one take turns: the second finds that of the first.
  lock table row_triggers in share row exclusive mode;
  delete from row_triggers where name = p_name returning * into v_old;
  if found and v_old.relation <> p_table and exists (select from pg_class where oid = v_old.relation) then
    perform refuse('TK004', format('trigger %L already exists on %s', p_name, v_old.relation::regclass),
                   'Use another name.');
  end if;
  if found and v_old.relation = p_table then
    execute format('drop trigger if exists %I on %s', 'tusk_' || p_name, p_table);
  end if;
  if p_trigger is null then
    perform audit_change('set_trigger', 'trigger', p_name, v_before);
    return;
  end if;

  perform check_settings(p_trigger, c_names);
  perform check_trigger(p_table, p_name, p_trigger);
  insert into row_triggers (name, relation, set_by, settings) values (p_name, p_table, v_by, p_trigger);
  execute format(
    'create trigger %I after %s on %s for each row execute function enqueue_change(%L)', 'tusk_' || p_name,
    trigger_events(p_trigger), p_table, p_name);
  perform audit_change('set_trigger', 'trigger', p_name, v_before);
end;
$$;

-- check_trigger() — refuses a trigger that could not do what it says

create or replace function check_trigger(p_table regclass, p_name text, p_trigger jsonb)
  returns void
  language plpgsql
as $$
declare
  v_columns text[] := array(
    select attname::text from pg_attribute where attrelid = p_table and attnum > 0 and not attisdropped);
  v_name    text;
begin
  select name into v_name
  from unnest('{on,columns,key}'::text[]) as name
  where p_trigger ? name and jsonb_typeof(p_trigger -> name) <> 'array'
     or name in ('on', 'columns') and p_trigger -> name = '[]';
  if found then
    perform refuse('TK004', format('%s of trigger %L must be a list', v_name, p_name),
                   'Write {"on": ["insert"], "key": ["id"]}.');
  end if;
  select event into v_name
  from jsonb_array_elements_text(coalesce(p_trigger -> 'on', '[]')) as event
  where event is null or event not in ('insert', 'update', 'delete');
  if found then
    perform refuse('TK004', format('unknown operation %L', v_name),
                   'Write insert, update or delete.');
  end if;
  if p_trigger ? 'params' and jsonb_typeof(p_trigger -> 'params') <> 'object' then
    perform refuse('TK004', format('params of trigger %L must be an object', p_name),
                   'Write {"params": {"account": "account_id"}}.');
  end if;
  begin
    perform check_delays(array[(p_trigger ->> 'delay')::interval]);
  exception when data_exception then
    perform refuse('TK004', format('the delay of trigger %L is invalid: %s', p_name, left(sqlerrm, 200)),
                   'Write {"delay": "30 seconds"}.');
  end;
  select name into v_name
  from (
    select jsonb_array_elements_text(coalesce(p_trigger -> 'columns', '[]'))
    union all
    select jsonb_array_elements_text(coalesce(p_trigger -> 'key', '[]'))
    union all
    select value from jsonb_each_text(coalesce(p_trigger -> 'params', '{}'))
    union all
    select unnest(params) from sql_statements where name = p_trigger ->> 'statement' and not p_trigger ? 'params'
  ) as named (name)
  where name is null or name <> all (v_columns);
  if found then
    perform refuse('TK004', format('%s has no column %L', p_table, v_name), 'Check the spelling of the column.');
  end if;
  -- As it will be, with a row of nulls: the caller must be allowed to enqueue it.
  perform check_trigger_task(p_name, trigger_task(p_name, p_trigger, p_table::text, 'INSERT', null, (
    select coalesce(jsonb_object_agg(name, null), '{}') from unnest(v_columns) as name)));
end;
$$;

-- trigger_events() — when a trigger fires, in the words of CREATE TRIGGER

create or replace function trigger_events(p_trigger jsonb)
  returns text
  language sql
  stable
as $$
  select string_agg(
    event || case when event = 'update' and p_trigger ? 'columns'
                  then ' of ' || (select string_agg(quote_ident(name), ', ')
                                  from jsonb_array_elements_text(p_trigger -> 'columns') as name)
                  else '' end, ' or ')
  from jsonb_array_elements_text(coalesce(p_trigger -> 'on', '["insert", "update"]')) as event;
$$;

-- check_trigger_task() — refuses a trigger whose task could not be enqueued
--
-- Asks the one who will have to do it: the task is enqueued, and undone.

create or replace function check_trigger_task(p_name text, p_task jsonb)
  returns void
  language plpgsql
as $$
begin
  perform store_tasks(read_tasks(jsonb_build_array(p_task)));
  raise exception using errcode = 'TK999';
exception
  when sqlstate 'TK999' then
    null;
  when sqlstate 'TK004' or sqlstate 'TK005' then
    perform refuse('TK004', format('trigger %L is invalid: %s', p_name, sqlerrm),
                   'Nothing was changed. Correct the trigger and try again.');
end;
$$;
