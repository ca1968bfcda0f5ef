-- queue_status() — the queues there are

create or replace function queue_status()
  returns table (id integer, name varchar, is_active boolean)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select id, name, is_active from queues order by id;
$$;

create or replace function queue_status(par_queue varchar)
  returns table (id integer, name varchar, is_active boolean)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select id, name, is_active from queues where name = lower(par_queue);
$$;
