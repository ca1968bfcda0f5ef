-- open_lanes() — makes sure that claim() will look at these priorities of these queues
--
-- A lane that is not seen here may have been opened by a transaction still under
-- way; then it is opened twice. Lanes are never closed: a task whose producer saw
-- its lane may commit at any later time.

create or replace function open_lanes(p_queues text[], p_priorities integer[])
  returns void
  language plpgsql
as $$
begin
  insert into lanes (queue, priority)
  select p_queues[i], coalesce(p_priorities[i], 0)
  from generate_subscripts(p_queues, 1) as i
  where not exists (
    select from lanes where queue = p_queues[i] and priority = coalesce(p_priorities[i], 0)
  )
  group by 1, 2;
end;
$$;
