-- queue_stats — what waits and runs in each queue, and what happened in the last hour
--
-- Counts of waiting tasks stop at 10,000: nobody needs more to decide, and nobody
-- waits for a count over millions. What ended comes from counters, never from a
-- scan of finished.

create view queue_stats as
  with known as (
    select distinct queue from lanes
    union
    select name from queues where name <> '*'
  ), held as (
    select queue, sum(open) as running from claims group by queue
  ), hour as (
    select queue, sum(enqueued) as enqueued, sum(done) as done, sum(failed) as failed, sum(cancelled) as cancelled
    from (
      select queue, enqueued, done, failed, cancelled from counters where width = 60 and at > clock_timestamp() - interval '1 hour'
      union all
      select queue, enqueued, done, failed, cancelled from deltas
    ) as recent
    group by queue
  )
  select known.queue,
         queues.paused_at,
         coalesce(held.running, 0)::integer as running,
         own.max_running,
         due.n::integer as due,
         later.n::integer as later,
         due.oldest as oldest_due_at,
         coalesce(hour.enqueued, 0)::bigint as enqueued_last_hour,
         coalesce(hour.done, 0)::bigint as done_last_hour,
         coalesce(hour.failed, 0)::bigint as failed_last_hour,
         coalesce(hour.cancelled, 0)::bigint as cancelled_last_hour
  from known
  left join queues on queues.name = known.queue
  left join groups as own on own.name = '@' || known.queue
  left join held on held.queue = known.queue
  left join hour on hour.queue = known.queue
  cross join lateral (
    select count(*) as n, min(run_at) as oldest
    from (
      select lane.run_at
      from (select distinct priority from lanes where lanes.queue = known.queue) as used
      cross join lateral (
        select run_at
        from tasks
        where tasks.queue = known.queue and parked_on is null and turn is null and priority = used.priority
          and run_at <= clock_timestamp() and claim is null
        order by run_at
        limit 10000
      ) as lane
      union all
      select run_at from tasks where queue = known.queue and turn is not null and run_at <= clock_timestamp() and claim is null
      union all
      select run_at from (select queue, run_at from tasks where parked_on is not null limit 10000) as parked where queue = known.queue
      limit 10000
    ) as waiting
  ) as due
  cross join lateral (
    select count(*) as n
    from (
      select from tasks
      where tasks.queue = known.queue and parked_on is null and turn is null and run_at > clock_timestamp()
      union all
      select from tasks where tasks.queue = known.queue and turn is not null and run_at > clock_timestamp()
      limit 10000
    ) as future
  ) as later;
