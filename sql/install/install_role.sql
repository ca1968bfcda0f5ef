-- install_role() — the full name of one of the four roles, null when there is none

create or replace function install_role(p_role text)
  returns text
  language plpgsql
  set search_path from current
as $$
begin
  if p_role not in ('producer', 'worker', 'operator', 'admin') then
    raise exception sqlstate 'TK004' using
      message = format('there is no role %L', p_role),
      hint    = 'The roles are producer, worker, operator and admin.';
  end if;

  return (
    select rolname
    from pg_roles
    where current_setting('tusk.role_prefix') <> '' and rolname = current_setting('tusk.role_prefix') || '_' || p_role
  );
end;
$$;
