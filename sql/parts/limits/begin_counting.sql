-- begin_counting() — from now on the running tasks of a queue are counted
--
-- A queue gets its counter with its first limit and keeps it. Claims under way are
-- waited for, and new ones wait; so are ends under way, which did not know that
-- they would be counted. So the count begins true.

create or replace function begin_counting(p_queue text)
  returns void
  language plpgsql
as $$
begin
  perform pg_advisory_xact_lock(hashtext(current_schema()), hashtext(p_queue));
  perform
  from claims
  cross join lateral unnest(claims.tasks) as held (id)
  join tasks on tasks.id = any (array[held.id]) and tasks.claim = claims.id
  where claims.queue = p_queue
  order by held.id
  for no key update of tasks;

  perform lock_groups(array['@' || p_queue], clock_timestamp());
  update queues set is_counted = true where name = p_queue;
  update groups set running = running_in(name) where name = '@' || p_queue;
end;
$$;
