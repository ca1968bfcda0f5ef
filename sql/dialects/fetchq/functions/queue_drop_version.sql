-- queue_drop_version() — true unless it is the current version; no index rests on a version

create or replace function queue_drop_version(par_queue varchar, par_oldversion integer, out was_dropped boolean)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select not exists (select from queues where name = lower(par_queue) and current_version = par_oldversion);
$$;
