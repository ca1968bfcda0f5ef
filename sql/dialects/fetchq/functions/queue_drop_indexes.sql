-- queue_drop_indexes() — true for a queue that is there; see queue_create_indexes()

create or replace function queue_drop_indexes(par_queue varchar, out was_dropped boolean)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select exists (select from queues where name = lower(par_queue));
$$;
