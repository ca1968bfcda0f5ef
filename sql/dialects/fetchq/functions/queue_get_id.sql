-- queue_get_id() — the id of a queue, which is registered if it is not there

create or replace function queue_get_id(par_queue varchar, out queue_id bigint)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if lower(par_queue) !~ '^[a-z_][a-z0-9_]{0,39}$' or par_queue is null then
    perform refuse('TK004', format('%L cannot be the name of a queue', par_queue),
                   'A name has 1 to 40 letters, digits and underscores, and begins with no digit.');
  end if;
  insert into queues (name) values (lower(par_queue)) on conflict (name) do nothing;
  select id into queue_id from queues where name = lower(par_queue);
end;
$$;
