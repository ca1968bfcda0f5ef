-- check_payloads() — refuses payloads above what their queue allows
--
-- Sizes are those of jsonb in memory, which is what the table has to carry.

create or replace function check_payloads(p_queues text[], p_payloads jsonb[])
  returns void
  language plpgsql
as $$
declare
  v_place   bigint;
  v_size    integer;
  v_allowed integer;
begin
  select i, pg_column_size(p_payloads[i]), (rules(p_queues[i])).max_payload
  into v_place, v_size, v_allowed
  from generate_subscripts(p_payloads, 1) as i
  where pg_column_size(p_payloads[i]) > (rules(p_queues[i])).max_payload
  limit 1;

  if found then
    perform refuse_task(
      'TK005', v_place,
      format('the payload of %s has %s bytes, queue %s takes %s',
             case when cardinality(p_queues) > 1 then 'task ' || v_place else 'the task' end,
             v_size, p_queues[v_place], v_allowed),
      'Store the data elsewhere and enqueue a reference, or raise max_payload with set_queue().');
  end if;
end;
$$;
