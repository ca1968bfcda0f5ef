-- open_lanes() — makes sure that claim() will look at these priorities of these queues
--
-- A lane that is not seen here may have been opened by a transaction still under way;
-- then it is opened twice. So is one that close_lanes() has marked, and every lane in a
-- transaction that sees the past: its snapshot may be older than the mark.
--
-- A claim looks at every lane of its queue. A producer that could open as many as there
-- are integers would slow down all claims, so their number has a bound.

create or replace function open_lanes(p_queues text[], p_priorities integer[])
  returns void
  language plpgsql
as $$
declare
  v_queue text;
begin
  with opened as (
    insert into lanes (queue, priority)
    select p_queues[i], coalesce(p_priorities[i], 0)
    from generate_subscripts(p_queues, 1) as i
    where current_setting('transaction_isolation') not in ('read committed', 'read uncommitted')
       or not exists (
         select from lanes
         where queue = p_queues[i] and priority = coalesce(p_priorities[i], 0) and closing_by is null
       )
    group by 1, 2
    returning queue, priority
  )
  select array_agg(distinct queue) into p_queues
  from opened
  -- What was opened just now is not seen here.
  where not exists (select from lanes where lanes.queue = opened.queue and lanes.priority = opened.priority);
  if p_queues is null then
    return;
  end if;
  select queue into v_queue
  from lanes
  where queue = any (p_queues)
  group by queue
  having count(distinct priority) > bound('lanes')
  limit 1;
  if found then
    perform refuse('TK004', format('queue %s has tasks of %s priorities already', v_queue, bound('lanes')),
                   'Use fewer distinct priorities. To order tasks by time, give them a run_at. Priorities that no task has are forgotten within minutes.');
  end if;
end;
$$;
