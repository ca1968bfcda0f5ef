-- read_statement() — a registered statement, for the worker that runs it

create or replace function read_statement(p_name text)
  returns table (sql text, params text[], role text, connection text, settings jsonb)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select sql, params, role, connection, settings from sql_statements where name = p_name;
$$;
