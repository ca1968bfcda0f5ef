-- queue_create_indexes() — true for a queue that is there; the engine's indexes serve all queues

create or replace function queue_create_indexes(par_queue varchar, out was_created boolean)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select exists (select from queues where name = lower(par_queue));
$$;

create or replace function queue_create_indexes(
  par_queue varchar, par_version integer, par_attempts integer, out was_created boolean
)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select exists (select from queues where name = lower(par_queue));
$$;
