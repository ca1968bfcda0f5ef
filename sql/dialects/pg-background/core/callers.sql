-- Who calls, and what they may see.

-- background_caller() — the settings of the session that launches, for the session that runs
--
-- Its search path above all: names in the SQL mean what they mean to the caller. No
-- search path of its own, for it would see nothing else. Dates are read as the caller
-- reads them, and written as ISO has them: 01/02 would be another day to another reader.

create or replace function background_caller()
  returns jsonb
  language sql
  stable
begin atomic
  select jsonb_build_object(
    'search_path', current_setting('search_path'),
    'settings', jsonb_build_object(
      'TimeZone', current_setting('TimeZone'),
      'DateStyle', 'ISO, ' || split_part(current_setting('DateStyle'), ', ', 2),
      'IntervalStyle', current_setting('IntervalStyle')));
end;

-- background_submitter() — the role that called, for views to compare with

create or replace function background_submitter()
  returns text
  language sql
  stable
  security definer
  set search_path from current
as $$
  select submitter();
$$;

-- background_sees_all() — whether the caller may look at the tasks of others: operators may

create or replace function background_sees_all()
  returns boolean
  language sql
  stable
  security definer
  set search_path from current
as $$
  select has_table_privilege(submitter(), 'task', 'select');
$$;

-- background_schema() — where this dialect is, for procedures, which may not pin their search path and commit

create or replace function background_schema()
  returns text
  language sql
  stable
  set search_path from current
as $$
  select current_schema()::text;
$$;

-- background_require() — refuses a handle that is unknown, another role's, or has the wrong cookie
--
-- All three in the same words, so that a role cannot find out what others run.

create or replace function background_require(p_id bigint, p_cookie bigint)
  returns void
  language plpgsql
as $$
begin
  if exists (
    select from background_task
    where id = p_id and cookie = coalesce(p_cookie, cookie)
      and (submitted_by = (select submitter()) or background_sees_all())
  ) then
    return;
  end if;
  perform refuse(
    '42704',
    format('there is no background task %s%s of yours', coalesce(p_id::text, 'null'),
           case when p_cookie is not null then format(' with cookie %s', p_cookie) end),
    'It never existed, its transaction has not committed, its retention is over, or the cookie is another task''s.');
end;
$$;

-- background_require_role() — refuses where a role is missing, the caller's or that of those who may launch

create or replace function background_require_role(p_role text)
  returns void
  language plpgsql
as $$
declare
  v_name text;
begin
  foreach v_name in array array[p_role, 'pgbackground_role'] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_name) then
      perform refuse('42704', format('there is no role %L', coalesce(v_name, 'null')),
                     case v_name when 'pgbackground_role'
                       then 'The role that installed this dialect could not create it: create it, and install again.'
                       else 'Create it first, or correct the name.' end);
    end if;
  end loop;
end;
$$;

-- background_open_role() — lets members of pgbackground_role use the dialect, and makes that role if it may
--
-- Roles belong to the whole cluster, so another install may make it at the same
-- moment. Where no roles are wanted, or none may be made, operators launch.

create or replace function background_open_role()
  returns void
  language plpgsql
as $$
declare
  v_schema text := quote_ident(current_schema());
  v_given  text;
begin
  if current_setting('tusk.role_prefix') = '' or install_role('producer') is null then
    return;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'pgbackground_role') then
    begin
      create role pgbackground_role nologin;
    exception
      when duplicate_object or unique_violation then
        null;
      when insufficient_privilege then
        raise warning 'the role pgbackground_role was not made: %', sqlerrm
          using hint = 'Have it made by a user with CREATEROLE and install again, or use allow_sql().';
        return;
    end;
  end if;
  execute format('grant usage on schema %s to pgbackground_role', v_schema);
  for v_given in
    select format('grant execute on %s %s to pgbackground_role',
                  case prokind when 'p' then 'procedure' else 'function' end, oid::regprocedure)
    from pg_catalog.pg_proc
    where pronamespace = v_schema::regnamespace and has_function_privilege(install_role('producer'), oid, 'execute')
    union all
    select format('grant select on %s to pgbackground_role', oid::regclass)
    from pg_catalog.pg_class
    where relnamespace = v_schema::regnamespace and relkind = 'v'
      and has_table_privilege(install_role('producer'), oid, 'select')
  loop
    execute v_given;
  end loop;
  perform allow_sql('pgbackground_role');
end;
$$;

-- background_open_procedures() — lets producers call the procedures; grant_verb() is for functions

create or replace function background_open_procedures()
  returns void
  language plpgsql
as $$
declare
  v_procedure regprocedure;
begin
  for v_procedure in
    select oid
    from pg_catalog.pg_proc
    where pronamespace = quote_ident(current_schema())::regnamespace and prokind = 'p' and proname ^@ 'pg_background_'
      and install_role('producer') is not null
  loop
    execute format('grant execute on procedure %s to %I', v_procedure, install_role('producer'));
  end loop;
end;
$$;
