-- open_queue() — removes all grants on a queue; it is open again, unless another grant covers it
--
-- The name is that of the grants: open_queue('acme:*') removes those on acme:*. Answers how
-- many roles had grants.

create or replace function open_queue(p_queue text)
  returns integer
  language plpgsql
  security definer
  set search_path from current
  set lock_timeout = '10s'
as $$
declare
  v_before jsonb;
  v_count  integer;
begin
  perform from queues where name = '*' for no key update;
  v_before := describe_grants(p_queue);
  delete from queue_grants where queue = p_queue;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform audit_grants('open_queue', p_queue, v_before);
  end if;
  return v_count;
end;
$$;
