-- pg_background_grant_privileges() — lets a role launch: makes it a member of pgbackground_role
--
-- The same as GRANT pgbackground_role TO …. What it launches runs as itself, so the
-- worker's login must be a member of it as well.

create or replace function pg_background_grant_privileges(role_name text, print_commands boolean default false)
  returns boolean
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_command text := format('grant pgbackground_role to %I', role_name);
begin
  perform background_require_role(role_name);
  execute v_command;
  if print_commands then
    raise info '%', v_command;
  end if;
  perform allow_sql('pgbackground_role');
  return true;
end;
$$;

create or replace function grant_pg_background_privileges(role_name text, print_commands boolean default false)
  returns boolean
  language sql
  set search_path from current
as $$
  select pg_background_grant_privileges(role_name, print_commands);
$$;
