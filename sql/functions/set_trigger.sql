-- set_trigger() — has a task enqueued for each row of a table that changes; null ends it
--
--   select set_trigger('payments', 'settle', '{
--     "on": ["insert"], "statement": "settle", "params": {"account": "account_id"}, "key": ["account_id"]}');
--
-- The task is part of the transaction that changes the row. It runs a registered
-- statement (its params are columns of the row, by default those of their names), or
-- is a document or for a handler, with the row as its payload: {trigger, table, op,
-- old, new}. It is enqueued in the name of whoever calls, whoever changes the row.
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
  v_before jsonb := described('trigger', p_name);
  c_names  constant text[] := '{on,columns,statement,params,kind,handler,queue,key,on_duplicate,window,delay,priority,max_attempts,timeout}';
  v_by     text := submitter();
  v_old    row_triggers;
begin
  -- Postgres cuts what is longer, and two names would become one.
  if coalesce(p_name, '') = '' or octet_length('tusk_' || p_name) > 63 then
    perform refuse('TK004', 'a trigger needs a name of 1 to 58 bytes', 'Give it one.');
  end if;
  if not exists (select from pg_class where oid = p_table) then
    perform refuse('TK004', 'a trigger needs a table', 'Name one that exists.');
  end if;
  if not has_table_privilege(v_by, p_table, 'trigger') then
    perform refuse('TK004', format('%s may make no trigger on %s', v_by, p_table), 'Ask the owner of the table for the right TRIGGER.');
  end if;
  -- Two who make the same one take turns: the second finds that of the first.
  lock table row_triggers in share row exclusive mode;
  delete from row_triggers where name = p_name returning * into v_old;
  if found and v_old.relation <> p_table and exists (select from pg_class where oid = v_old.relation) then
    perform refuse('TK004', format('there is a trigger %L on %s already', p_name, v_old.relation::regclass), 'Use another name.');
  end if;
  if found and v_old.relation = p_table then
    execute format('drop trigger if exists %I on %s', 'tusk_' || p_name, p_table);
  end if;
  if p_trigger is null then
    perform note_change('set_trigger', 'trigger', p_name, v_before);
    return;
  end if;

  perform check_settings(p_trigger, c_names);
  perform check_trigger(p_table, p_name, p_trigger);
  insert into row_triggers (name, relation, set_by, settings) values (p_name, p_table, v_by, p_trigger);
  execute format(
    'create trigger %I after %s on %s for each row execute function enqueue_change(%L)', 'tusk_' || p_name,
    trigger_events(p_trigger), p_table, p_name);
  perform note_change('set_trigger', 'trigger', p_name, v_before);
end;
$$;
