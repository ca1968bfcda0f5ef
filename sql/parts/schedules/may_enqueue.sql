-- may_enqueue() — whether a role exists and may enqueue

create or replace function may_enqueue(p_role text)
  returns boolean
  language sql
  stable
as $$
  select exists (
    select from pg_catalog.pg_roles
    where rolname = p_role and has_function_privilege(oid, 'enqueue_many(jsonb)', 'execute'));
$$;
