-- hidden() — a connection string without its passwords

create or replace function hidden(p_remote text)
  returns text
  language sql
  immutable
as $$
  select hide_password('sql', jsonb_build_object('connection', jsonb_build_object('dsn', p_remote))) #>> '{connection,dsn}';
$$;
