-- step(): running, with a checkpoint; inside of a durable procedure
--
--   call step('charge', format('select shop.charge(%s)', p_order), v_charge);
--   call step('remind', format('insert into mails (order_id) values (%s)', p_order));
--
-- Runs the SQL once per task, and commits what it did together with its checkpoint. A later run gets the stored
-- result: the first row, one column as its value, several as an object. A name is used once in a run. A step that was
-- added before others while tasks are under way needs p_is_new.

create or replace procedure step(p_name text, p_sql text, inout p_result jsonb, p_is_new boolean default false)
  language plpgsql
as $$
declare
  v_engine  text := pg_catalog.current_setting('tusk.run', true);
  v_done    boolean;
  v_started timestamptz;
begin
  if coalesce(v_engine, '') = '' then
    raise exception using
      errcode = 'TK003', message = 'step() was called outside of a durable procedure',
      hint = 'Start the procedure with run(): a worker then calls it.';
  end if;
  v_engine := v_engine::pg_catalog.jsonb ->> 'schema';
  execute pg_catalog.format('select %I.begin_call($1)', v_engine) using p_name;
  commit;
  v_started := pg_catalog.clock_timestamp();
  execute pg_catalog.format('select * from %I.find_step($1, $2)', v_engine) into v_done, p_result
  using p_name, p_is_new;
  if not v_done then
    execute pg_catalog.format('select %I.run_effect($1)', v_engine) into p_result using p_sql;
    execute pg_catalog.format('select %I.keep_step($1, $2, $3)', v_engine) using p_name, p_result, v_started;
  end if;
  commit;
  execute pg_catalog.format('select %I.end_call()', v_engine);
end;
$$;

-- step(): the same, for SQL whose result does not matter
--
-- It does not call the other one: a procedure that is called by a name from a setting cannot commit.

create or replace procedure step(p_name text, p_sql text, p_is_new boolean default false)
  language plpgsql
as $$
declare
  v_engine  text := pg_catalog.current_setting('tusk.run', true);
  v_done    boolean;
  v_started timestamptz;
  v_result  jsonb;
begin
  if coalesce(v_engine, '') = '' then
    raise exception using
      errcode = 'TK003', message = 'step() was called outside of a durable procedure',
      hint = 'Start the procedure with run(): a worker then calls it.';
  end if;
  v_engine := v_engine::pg_catalog.jsonb ->> 'schema';
  execute pg_catalog.format('select %I.begin_call($1)', v_engine) using p_name;
  commit;
  v_started := pg_catalog.clock_timestamp();
  execute pg_catalog.format('select is_done from %I.find_step($1, $2)', v_engine) into v_done using p_name, p_is_new;
  if not v_done then
    execute pg_catalog.format('select %I.run_effect($1)', v_engine) into v_result using p_sql;
    execute pg_catalog.format('select %I.keep_step($1, $2, $3)', v_engine) using p_name, v_result, v_started;
  end if;
  commit;
  execute pg_catalog.format('select %I.end_call()', v_engine);
end;
$$;
