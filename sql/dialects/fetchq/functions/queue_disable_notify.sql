-- queue_disable_notify() — changes of documents are told no more

create or replace function queue_disable_notify(par_queue varchar, out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  update queues set config = config - 'notify' where name = lower(par_queue) and config ? 'notify';
  success := true;
end;
$$;
