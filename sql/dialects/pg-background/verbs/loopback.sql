-- Launching in a transaction of its own, by a second connection to the same database.

-- pg_background_set_loopback() — tasks start at once, as with the original, and not when their transaction commits
--
--   create extension dblink;
--   select pg_background_set_loopback('dbname=app user=tusk password=…');
--
-- So a transaction can wait for what it launched, and what it launched stays when it rolls back. The
-- connection must lead to this database as a role that owns the dialect. Null: as before.

create or replace function pg_background_set_loopback(connection text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_variable
declare
  v_fits boolean;
begin
  delete from background_loopback;
  if connection is null then
    return;
  end if;
  execute format('select fits from %s.dblink($1, $2) as found (fits boolean)', background_dblink())
  into v_fits
  using connection, format(
    'select current_database() = %L and exists (
       select from pg_catalog.pg_proc join pg_catalog.pg_namespace on pg_namespace.oid = pronamespace
       where nspname = %L and proname = ''background_store'' and has_schema_privilege(pg_namespace.oid, ''usage'')
         and has_function_privilege(pg_proc.oid, ''execute''))', current_database(), current_schema());
  if not v_fits then
    perform refuse('22023', 'the loopback connection uses another database or role',
                   format('Connect to %I as %I.', current_database(), current_user));
  end if;
  insert into background_loopback (connection) values (pg_background_set_loopback.connection);
end;
$$;

-- background_dblink() — the schema of the extension dblink, or a refusal

create or replace function background_dblink()
  returns text
  language plpgsql
  stable
as $$
declare
  v_schema text := (select quote_ident(nspname) from pg_catalog.pg_extension
                    join pg_catalog.pg_namespace on pg_namespace.oid = extnamespace where extname = 'dblink');
begin
  if v_schema is null then
    perform refuse('55000', 'a loopback connection needs the extension dblink', 'Run CREATE EXTENSION dblink.');
  end if;
  return v_schema;
end;
$$;

-- background_launch_apart() — stores a task through the loopback connection, which commits it; gives its id
--
-- The other session is that of the owner, so what the caller may do is asked here.

create or replace function background_launch_apart(p_connection text, p_task new_task)
  returns bigint
  language plpgsql
as $$
declare
  v_id bigint;
begin
  if has_grants() then
    perform require_rights(array[p_task]);
  end if;
  execute format('select id from %s.dblink($1, $2) as made (id bigint)', background_dblink())
  into v_id
  using p_connection, format('select %I.background_store(%L, %L)', current_schema(), to_jsonb(p_task), submitter());
  return v_id;
end;
$$;

-- background_store() — the other end of background_launch_apart(): stores a task in the name of its caller

create or replace function background_store(p_task jsonb, p_by text)
  returns bigint
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  return (store_tasks(array[jsonb_populate_record(null::new_task, p_task)], p_by => p_by)).ids[1];
end;
$$;
