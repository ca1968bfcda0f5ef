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
