-- allow_sql() — lets a role send SQL of its own, to run as a role
--
--   select allow_sql('analyst', 'reader');   -- members of analyst, run as reader
--
-- Not a sandbox: SQL can RESET ROLE to what the worker's session logged in as. See
-- docs/learn/sql-tasks.md.

create or replace function allow_sql(p_submitter text, p_role text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_name text;
begin
  foreach v_name in array array[p_submitter, p_role] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_name) then
      perform refuse('TK004', format('there is no role %L', coalesce(v_name, 'null')), 'Create it first, or correct the name.');
    end if;
  end loop;
  insert into sql_roles (submitter, role) values (p_submitter, p_role) on conflict do nothing;
end;
$$;
