-- may_grant() — whether a role is an admin, whom no grant keeps out; false for a role that was dropped

create or replace function may_grant(p_by text)
  returns boolean
  language sql
  stable
as $$
  select exists (
    select from pg_catalog.pg_roles
    where rolname = p_by and has_function_privilege(oid, 'grant_queue(text, text, text[])', 'execute'));
$$;
