-- queue_enable_notify() — from now on every change of a document is told by NOTIFY

create or replace function queue_enable_notify(par_queue varchar, out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues := require_queue(par_queue);
begin
  update queues set config = config || '{"notify": true}'
  where id = v_queue.id and config ->> 'notify' is distinct from 'true';
  success := true;
end;
$$;
