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
                       then 'Whoever installed this dialect could not make it: create it, and install again.'
                       else 'Create it first, or correct the name.' end);
    end if;
  end loop;
end;
$$;
