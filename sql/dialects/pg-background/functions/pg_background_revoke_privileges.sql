-- pg_background_revoke_privileges() — takes back what pg_background_grant_privileges() gave
--
-- Tasks that are launched already still run.

create or replace function pg_background_revoke_privileges(role_name text, print_commands boolean default false)
  returns boolean
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_command text := format('revoke pgbackground_role from %I', role_name);
begin
  perform background_require_role(role_name);
  execute v_command;
  if print_commands then
    raise info '%', v_command;
  end if;
  return true;
end;
$$;

create or replace function revoke_pg_background_privileges(role_name text, print_commands boolean default false)
  returns boolean
  language sql
  set search_path from current
as $$
  select pg_background_revoke_privileges(role_name, print_commands);
$$;
