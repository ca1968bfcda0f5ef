-- open_lanes() — makes sure that claim() will look at these priorities of these queues
--
-- A lane that is not seen here may have been opened by a transaction still under
-- way; then it is opened twice. Lanes are never closed: a task whose producer saw
-- its lane may commit at any later time.

create or replace function open_lanes(p_queues text[], p_priorities integer[])
  returns void
  language sql
  set search_path from current
as $$
  insert into lanes (queue, priority)
  select distinct given.queue, coalesce(given.priority, 0)
  from unnest(p_queues, p_priorities) as given (queue, priority)
  where not exists (
    select from lanes where lanes.queue = given.queue and lanes.priority = coalesce(given.priority, 0)
  );
$$;
