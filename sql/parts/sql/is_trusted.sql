-- is_trusted() — whether what this role owns may be called with the rights of the engine's owner

create or replace function is_trusted(p_owner oid)
  returns boolean
  language sql
  stable
as $$
  select exists (select from pg_catalog.pg_roles where oid = p_owner and (rolsuper or rolname = current_user));
$$;
