-- is_member_of() — whether a role has the rights of one of these; '*' means everybody
--
-- Names of roles that are gone are passed over.

create or replace function is_member_of(p_role text, p_names text[])
  returns boolean
  language sql
  stable
as $$
  select '*' = any (p_names) or exists (
    select from pg_catalog.pg_roles
    where rolname = any (p_names) and pg_catalog.pg_has_role(p_role, oid, 'usage'));
$$;
