-- queue_stats — what waits and runs in each queue, and what happened in the last hour
--
-- Counts of waiting tasks stop at 10,000: nobody needs more to decide, and nobody
-- waits for a count over millions. What ended comes from counters, never from a
-- scan of finished. What is due is counted in the index alone, where what runs stands
-- too and is taken off again: to look at each task took a second per queue. Of a fair
-- queue 10,000 are looked at.

create view queue_stats as
  -- Told once, for clock_timestamp() itself is no place to begin in an index.
  with moment as materialized (
    select clock_timestamp() as now
  ), known as (
    select distinct queue from lanes
    union
    select name from queues where name <> '*'
  ), held as (
    select queue, sum(open) as running from claims group by queue
  ), hour as (
    select queue, sum(enqueued) as enqueued, sum(done) as done, sum(failed) as failed, sum(cancelled) as cancelled
    from (
      select queue, enqueued, done, failed, cancelled
      from counters
      where width = 60 and at > (select now - interval '1 hour' from moment)
      union all
      select queue, enqueued, done, failed, cancelled from deltas
    ) as recent
    group by queue
  ), parked as materialized (
    select queue, count(*) as n, min(run_at) as oldest
    from (select queue, run_at from tasks where parked_on is not null limit 10000) as few
    group by queue
  )
  select known.queue,
         queues.paused_at,
         coalesce(held.running, 0)::integer as running,
         own.max_running,
         least(greatest(due.n - (coalesce(held.running, 0) - in_turn.running), 0) + in_turn.due + coalesce(parked.n, 0),
               10000)::integer as due,
         least(later.n + in_turn.later, 10000)::integer as later,
         least(oldest.run_at, in_turn.oldest, parked.oldest) as oldest_due_at,
         coalesce(hour.enqueued, 0)::bigint as enqueued_last_hour,
         coalesce(hour.done, 0)::bigint as done_last_hour,
         coalesce(hour.failed, 0)::bigint as failed_last_hour,
         coalesce(hour.cancelled, 0)::bigint as cancelled_last_hour
  from known
  left join queues on queues.name = known.queue
  left join groups as own on own.name = '@' || known.queue
  left join held on held.queue = known.queue
  left join hour on hour.queue = known.queue
  left join parked on parked.queue = known.queue
  cross join lateral (
    select count(*) as n
    from (
      select
      from (select distinct priority from lanes where lanes.queue = known.queue) as used
      cross join lateral (
        select from tasks
        where tasks.queue = known.queue and parked_on is null and turn is null and priority = used.priority
          and run_at <= (select now from moment)
        order by run_at
        limit 10000 + coalesce(held.running, 0)
      ) as lane
      limit 10000 + coalesce(held.running, 0)
    ) as waiting
  ) as due
  cross join lateral (
    select count(*) as n
    from (
      select
      from (select distinct priority from lanes where lanes.queue = known.queue) as used
      cross join lateral (
        select from tasks
        where tasks.queue = known.queue and parked_on is null and turn is null and priority = used.priority
          and run_at > (select now from moment)
        order by run_at
        limit 10000
      ) as lane
      limit 10000
    ) as future
  ) as later
  cross join lateral (
    select min(lane.run_at) as run_at
    from (select distinct priority from lanes where lanes.queue = known.queue) as used
    cross join lateral (
      select run_at
      from tasks
      where tasks.queue = known.queue and parked_on is null and turn is null and priority = used.priority
        and run_at <= (select now from moment) and claim is null
      order by run_at
      limit 1
    ) as lane
  ) as oldest
  cross join lateral (
    select count(*) filter (where claim is not null) as running,
           count(*) filter (where claim is null and run_at <= (select now from moment)) as due,
           count(*) filter (where run_at > (select now from moment)) as later,
           min(run_at) filter (where claim is null and run_at <= (select now from moment)) as oldest
    from (select run_at, claim from tasks where tasks.queue = known.queue and turn is not null limit 10000) as few
  ) as in_turn;
