-- pg_background_full_sql() — the SQL of a task, all of it

create or replace function pg_background_full_sql(pid bigint, cookie bigint default null)
  returns text
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform background_require(pid, cookie);
  return (select sql from background_task where id = pid);
end;
$$;

create or replace function pg_background_full_sql_v2(pid bigint, cookie bigint)
  returns text
  language sql
  set search_path from current
as $$
  select pg_background_full_sql(pid, cookie);
$$;
