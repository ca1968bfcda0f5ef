-- handler_stats() — how the latest tasks of each handler went, and how long they waited and ran
--
--   select * from handler_stats(now() - interval '1 hour');
--
-- Reads the newest p_limit rows of tasks that ended, so its cost does not grow with history, and counting
-- costs a task nothing. `since` is the oldest end that was counted: with many tasks it is later than p_since.
-- Times are in seconds and of the last attempt; `attempts` is the mean number of attempts. Tasks of kind sql are
-- under the handler null.

create or replace function handler_stats(
  p_since timestamptz default clock_timestamp() - interval '1 day',
  p_queue text        default null,
  p_limit integer     default 20000
)
  returns table (
    queue text, kind text, handler text, done bigint, failed bigint, cancelled bigint, attempts float8,
    wait_p50 float8, wait_p95 float8, run_p50 float8, run_p95 float8, run_p99 float8, last_at timestamptz,
    since timestamptz
  )
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  c_most   constant integer := 100000;
  c_shares constant float8[] := '{0.5,0.95,0.99}';
  v_all    boolean := sees_all();
begin
  if plausible_time(p_since) is null then
    perform refuse('TK004', 'p_since must be a finite time', 'Give a timestamp, such as now() - interval ''1 hour''.');
  end if;
  if p_limit is null or p_limit not between 1 and c_most then
    perform refuse('TK004', format('cannot read %s tasks', coalesce(p_limit::text, 'null')),
                   format('Give a number from 1 to %s.', c_most));
  end if;
  if p_queue is not null and has_grants() then
    perform require_queues('operate', array[p_queue]);
  end if;

  return query
    -- The limit comes before the time: the other way around, a quiet hour would be looked for through all of history.
    with newest as materialized (
      select finished.queue, finished.kind, finished.handler, finished.state, finished.attempt, finished.size,
             finished.finished_at,
             -- A task that never started neither waited to its start nor ran; greatest() would make 0 of null.
             -- From the seconds of each, for the ends of the calendar are farther apart than an interval is long.
             case when isfinite(finished.started_at) then greatest(
               date_part('epoch', finished.started_at) - date_part('epoch', finished.run_at), 0) end as wait,
             case when isfinite(finished.started_at) then greatest(
               date_part('epoch', finished.finished_at) - date_part('epoch', finished.started_at), 0) end as run
      from finished
      order by finished.id desc
      limit p_limit
    ), told as (
      select *
      from newest
      where newest.finished_at >= p_since and (p_queue is null or newest.queue = p_queue)
        and (v_all or may_use('operate', newest.queue, (select submitter())))
    ), summed as (
      select told.queue, told.kind, told.handler,
             sum(size) filter (where state = 'done') as done, sum(size) filter (where state = 'failed') as failed,
             sum(size) filter (where state = 'cancelled') as cancelled,
             sum(attempt::bigint * size)::float8 / sum(size) as attempts,
             percentile_cont(c_shares) within group (order by wait) as waits,
             percentile_cont(c_shares) within group (order by run) as runs,
             max(finished_at) as last_at
      from told
      group by 1, 2, 3
    )
    select queue, kind, handler, coalesce(done, 0)::bigint, coalesce(failed, 0)::bigint,
           coalesce(cancelled, 0)::bigint, attempts, waits[1], waits[2], runs[1], runs[2], runs[3], last_at,
           (select min(finished_at) from told)
    from summed
    order by queue, kind, handler nulls first;
end;
$$;
