-- free_heads() — lets the first parked task of each queue back in, for a group with room
--
-- Answers with how many. The caller holds the group's row.

create or replace function free_heads(p_group text)
  returns integer
  language plpgsql
as $$
declare
  v_queues text[];
begin
  with head as (
    select distinct on (queue) id
    from tasks
    where parked_on = p_group
    order by queue, priority desc, run_at, id
  ), freed as (
    update tasks
    set parked_on = null
    where ctid = any (array(
      select tasks.ctid from head join tasks on tasks.id = any (array[head.id]) for no key update of tasks skip locked
    ))
    returning queue
  )
  select array_agg(queue) into v_queues from freed;
  perform ring(v_queues);
  return coalesce(cardinality(v_queues), 0);
end;
$$;
