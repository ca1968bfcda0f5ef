-- allow_sql() — lets a role send SQL of its own, to run as a role
--
--   select allow_sql('analyst', 'reader');   -- members of analyst, run as reader
--   select allow_sql('analyst');             -- members of analyst, each run as itself
--
-- Not a sandbox: SQL can RESET ROLE to what the worker's session logged in as. See
-- docs/learn/sql-tasks.md.

create or replace function allow_sql(p_submitter text, p_role text default null)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_name text;
begin
  foreach v_name in array array[p_submitter, coalesce(p_role, p_submitter)] loop
    if not exists (select from pg_catalog.pg_roles where rolname = v_name) then
      perform refuse('TK004', format('there is no role %L', coalesce(v_name, 'null')),
                     'Create it first, or correct the name.');
    end if;
  end loop;
  -- No role has an empty name: it stands for the role that submits.
  insert into sql_roles (submitter, role) values (p_submitter, coalesce(p_role, '')) on conflict do nothing;
  perform audit_action('allow_sql', 'role ' || p_submitter, null,
                       jsonb_build_object('role', coalesce(p_role, p_submitter)));
end;
$$;
