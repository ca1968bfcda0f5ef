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
    select known.queue, counters.at, counters.done, counters.failed, counters.cancelled
    from known
    join counters on counters.queue = known.queue and counters.width = 3600
      and counters.at > least(done_from, failed_from, cancelled_from) - interval '1 hour'
    union all
    select known.queue, deltas.at, deltas.done, deltas.failed, deltas.cancelled
    from known
    join deltas on deltas.queue = known.queue
  )
  select counted.state, counted.n::bigint
  from (
    select sum(done) filter (where at > done_from - interval '1 hour') as done,
           sum(failed) filter (where at > failed_from - interval '1 hour') as failed,
           sum(cancelled) filter (where at > cancelled_from - interval '1 hour') as cancelled
    from ended
    join known using (queue)
  ) as summed
  cross join lateral (
    values ('done', coalesce(done, 0)), ('failed', coalesce(failed, 0)), ('cancelled', coalesce(cancelled, 0))
  ) as counted (state, n);
$$;
