-- kept_counts() — about how many ended tasks of each state are kept, told by the counters
--
-- For count_states(): what ended within the time that its queue keeps it, to the hour.
-- Nothing of finished is read. What was deleted or retried meanwhile is still in it.

create or replace function kept_counts(p_queue text)
  returns table (state text, n bigint)
  language sql
  stable
as $$
  with known as materialized (
    select told.queue, clock_timestamp() - ends.keep_done as done_from, clock_timestamp() - ends.keep_failed as failed_from,
           clock_timestamp() - ends.keep_cancelled as cancelled_from
    from (select queue from totals union select distinct queue from deltas) as told
    cross join lateral rules(told.queue) as ends
    where p_queue is null or told.queue = p_queue
  ), ended as (
    select counters.done, counters.failed, counters.cancelled, counters.at > done_from - interval '1 hour' as keeps_done,
           counters.at > failed_from - interval '1 hour' as keeps_failed,
           counters.at > cancelled_from - interval '1 hour' as keeps_cancelled
    from known
    join counters on counters.queue = known.queue and counters.width = 3600
      and counters.at > least(done_from, failed_from, cancelled_from) - interval '1 hour'
    union all
    -- What is not yet in the counters is of the last seconds.
    select late.done, late.failed, late.cancelled, true, true, true
    from known
    join (
      select queue, sum(done) as done, sum(failed) as failed, sum(cancelled) as cancelled from deltas group by queue
    ) as late on late.queue = known.queue
  )
  select counted.state, counted.n::bigint
  from (
    select sum(done) filter (where keeps_done) as done, sum(failed) filter (where keeps_failed) as failed,
           sum(cancelled) filter (where keeps_cancelled) as cancelled
    from ended
  ) as summed
  cross join lateral (
    values ('done', coalesce(done, 0)), ('failed', coalesce(failed, 0)), ('cancelled', coalesce(cancelled, 0))
  ) as counted (state, n);
$$;
