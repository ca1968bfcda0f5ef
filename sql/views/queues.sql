-- queue — the settings of each queue; the row '*' has the defaults
--
-- What is null is as the row '*' says, or no limit. What waits and runs in a queue is in
-- queue_stats.

create view queue as
  select queues.name as queue, queues.paused_at, own.max_running, own.gap, own.gap_from, own.rate, own.rate_window,
         queues.max_attempts, queues.max_payload, queues.group_max_running, queues.keep_done, queues.keep_failed,
         queues.keep_cancelled, queues.backoff, queues.on_lost, queues.is_fair, queues.keeps_keys,
         queues.records_events, queues.packs, queues.timeout, queues.sql_max_rows, queues.sql_max_bytes
  from queues
  left join groups as own on own.name = '@' || queues.name;

-- queue_stats — what waits and runs in each queue, and what happened in the last hour
--
-- `later` counts tasks whose time is known, `asleep` those that wait for a signal, for their children or for
-- other tasks and for no time: their run_at is never(), spelled out because a reader of a view needs the
-- right to every function it calls. Counts of what does not run stop at 10,000: that is enough to decide, and a
-- count of millions would take long. What ended comes from counters, never from a
-- scan of finished. What is due is counted in the index alone, where what runs stands
-- too and is taken off again: to look at each task took a second per queue. Of a fair
-- queue 10,000 are looked at.

create view queue_stats as
  -- Read once, because an index scan cannot begin at clock_timestamp() itself.
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
    select queue, count(*) as n, min(run_at) as oldest, count(claim) as held
    from (select queue, run_at, claim from tasks where parked_on is not null limit 10000) as few
    group by queue
  )
  select known.queue,
         queues.paused_at,
         (coalesce(held.running, 0) - coalesce(parked.held, 0))::integer as running,
         own.max_running,
         least(greatest(due.n - (coalesce(held.running, 0) - coalesce(parked.held, 0) - in_turn.running), 0)
                 + in_turn.due + coalesce(parked.n, 0),
               10000)::integer as due,
         least(later.n + in_turn.later, 10000)::integer as later,
         least(asleep.n + in_turn.asleep, 10000)::integer as asleep,
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
    select coalesce(sum(size), 0) as n
    from (
      select lane.size
      from (select distinct priority from lanes where lanes.queue = known.queue) as used
      cross join lateral (
        select size from tasks
        where tasks.queue = known.queue and parked_on is null and turn is null and priority = used.priority
          and run_at <= (select now from moment)
        order by run_at
        limit 10000 + coalesce(held.running, 0)
      ) as lane
      limit 10000 + coalesce(held.running, 0)
    ) as waiting
  ) as due
  cross join lateral (
    select coalesce(sum(size), 0) as n
    from (
      select lane.size
      from (select distinct priority from lanes where lanes.queue = known.queue) as used
      cross join lateral (
        select size from tasks
        where tasks.queue = known.queue and parked_on is null and turn is null and priority = used.priority
          and run_at > (select now from moment) and run_at < timestamptz '9999-12-31 00:00:00+00'
        order by run_at
        limit 10000
      ) as lane
      limit 10000
    ) as future
  ) as later
  cross join lateral (
    select coalesce(sum(size), 0) as n
    from (
      select lane.size
      from (select distinct priority from lanes where lanes.queue = known.queue) as used
      cross join lateral (
        select size from tasks
        where tasks.queue = known.queue and parked_on is null and turn is null and priority = used.priority
          and run_at >= timestamptz '9999-12-31 00:00:00+00'
        order by run_at
        limit 10000
      ) as lane
      limit 10000
    ) as sleeping
  ) as asleep
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
           count(*) filter (
             where run_at > (select now from moment) and run_at < timestamptz '9999-12-31 00:00:00+00') as later,
           count(*) filter (where run_at >= timestamptz '9999-12-31 00:00:00+00') as asleep,
           min(run_at) filter (where claim is null and run_at <= (select now from moment)) as oldest
    from (select run_at, claim from tasks where tasks.queue = known.queue and turn is not null limit 10000) as few
  ) as in_turn;

-- queue_total — what happened in each queue since the beginning, and what lives in it now
--
-- `depth` is exact: every task that was enqueued and has not ended. What roll_up() has not
-- folded yet is in it, but for how long attempts waited and ran: `waits` and `runs` count
-- those by duration_buckets().

create view queue_total as
  with summed as (
    select queue, sum(enqueued)::bigint as enqueued, sum(claimed)::bigint as claimed, sum(done)::bigint as done,
           sum(failed)::bigint as failed, sum(cancelled)::bigint as cancelled, sum(requeued)::bigint as requeued,
           sum(retried)::bigint as retried, sum(lost)::bigint as lost
    from (
      select queue, enqueued, claimed, done, failed, cancelled, requeued, retried, lost from totals
      union all
      select queue, enqueued, claimed, done, failed, cancelled, requeued, retried, lost from deltas
    ) as told
    group by queue
  ), held as (
    select queue, sum(open)::bigint as running from claims group by queue
  )
  select summed.queue, live.depth, coalesce(held.running, 0) as running,
         live.depth - coalesce(held.running, 0) as waiting,
         summed.enqueued, summed.claimed, summed.done, summed.failed, summed.cancelled, summed.requeued, summed.retried,
         summed.lost, coalesce(totals.wait_seconds, 0) as wait_seconds, coalesce(totals.run_seconds, 0) as run_seconds,
         totals.waits, totals.runs
  from summed
  cross join lateral (select summed.enqueued - summed.done - summed.failed - summed.cancelled as depth) as live
  left join totals on totals.queue = summed.queue
  left join held on held.queue = summed.queue;

-- error_group — failures that say the same, per queue: what, how often, since when, and which task was the last
--
-- Of the queues that the reader may operate, as in task.
--
-- page_tasks() finds the tasks of a group by its fingerprint, as `error`.

create view error_group as
  select error_groups.fingerprint, error_groups.queue, error_groups.code, error_groups.message, error_groups.sample,
         error_groups.reason, error_groups.count, coalesce(recent.hour, 0) as last_hour,
         coalesce(recent.day, 0) as last_day,
         error_groups.first_at, error_groups.last_at, error_groups.last_task
  from error_groups
  left join lateral (
    select sum(n) filter (where error_counts.hour > clock_timestamp() - interval '2 hours')::bigint as hour,
           sum(n)::bigint as day
    from error_counts
    where error_counts.fingerprint = error_groups.fingerprint and error_counts.queue = error_groups.queue
      and error_counts.hour > clock_timestamp() - interval '25 hours'
  ) as recent on true
  where (select not has_grants from queues where name = '*')
    or coalesce((
      select bool_or(may_operate)
      from reader_grant as held
      where held.queue = error_groups.queue
        or (right(held.queue, 1) = '*' and starts_with(error_groups.queue, left(held.queue, -1)))), true);
