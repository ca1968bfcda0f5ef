-- read_connection() — a registered connection, for the worker that opens it; its secret is elsewhere

create or replace function read_connection(p_name text)
  returns table (options jsonb, secret jsonb)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select options, secret from sql_connections where name = p_name;
$$;
