-- background_schema() — where this dialect is, for procedures, which may not pin their search path and commit

create or replace function background_schema()
  returns text
  language sql
  stable
  set search_path from current
as $$
  select current_schema()::text;
$$;
