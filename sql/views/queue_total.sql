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
  select summed.queue, live.depth, coalesce(held.running, 0) as running, live.depth - coalesce(held.running, 0) as waiting,
         summed.enqueued, summed.claimed, summed.done, summed.failed, summed.cancelled, summed.requeued, summed.retried,
         summed.lost, coalesce(totals.wait_seconds, 0) as wait_seconds, coalesce(totals.run_seconds, 0) as run_seconds,
         totals.waits, totals.runs
  from summed
  cross join lateral (select summed.enqueued - summed.done - summed.failed - summed.cancelled as depth) as live
  left join totals on totals.queue = summed.queue
  left join held on held.queue = summed.queue;
