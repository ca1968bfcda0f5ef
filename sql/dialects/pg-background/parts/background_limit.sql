-- background_limit() — how many background tasks may run at once, whatever their topics
--
-- The server's max_worker_processes less the reserve for others, which is the greater
-- half of them unless somebody says otherwise; never less than one.

create or replace function background_limit()
  returns integer
  language sql
  stable
as $$
  select greatest(total - coalesce(reserve, total - total / 2), 1)
  from background_defaults
  cross join lateral (select current_setting('max_worker_processes')::integer as total) as server;
$$;
