-- require_queue() — the queue of that name, or a refusal

create or replace function require_queue(par_queue varchar)
  returns queues
  language plpgsql
  stable
as $$
declare
  v_queue queues;
begin
  select * into v_queue from queues where name = lower(par_queue);
  if not found then
    perform refuse('TK004', format('there is no queue %L', par_queue), 'Create it with queue_create().');
  end if;
  return v_queue;
end;
$$;
