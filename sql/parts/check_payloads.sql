-- check_payloads() — refuses payloads above what their queue allows
--
-- Sizes are those of jsonb in memory, which is what the table has to carry.

create or replace function check_payloads(p_queues text[], p_payloads jsonb[])
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_place   bigint;
  v_size    integer;
  v_allowed integer;
begin
  select given.place, pg_column_size(given.payload), (rules(given.queue)).max_payload
  into v_place, v_size, v_allowed
  from unnest(p_queues, p_payloads) with ordinality as given (queue, payload, place)
  where pg_column_size(given.payload) > (rules(given.queue)).max_payload
  order by given.place
  limit 1;

  if found then
    perform refuse(
      'TK005',
      format('the payload of task %s has %s bytes, queue %s takes %s', v_place, v_size, p_queues[v_place], v_allowed),
      'Store the data elsewhere and enqueue a reference, or raise max_payload with set_queue().');
  end if;
end;
$$;
