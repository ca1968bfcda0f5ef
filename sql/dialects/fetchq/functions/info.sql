-- info() — the version of Fetchq that is spoken here; clients compare it for equality

create or replace function info(out version varchar)
  language sql
  immutable
as $$
  select '4.0.2'::varchar;
$$;
