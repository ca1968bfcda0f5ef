-- Counters: what happened, by minute, hour and in all.

-- fold_deltas() — takes changes of the counters and adds them to minutes, hours and totals
--
-- For roll_up(). Waits and runs are sorted into buckets here, away from the session that ended the
-- tasks. A width of 0 stands for all times, the queue * for all queues.

create or replace function fold_deltas(p_limit integer)
  returns integer
  language plpgsql
as $$
declare
  c_bounds constant float8[] := duration_buckets();
  v_folded integer;
begin
  with taken as materialized (
    delete from deltas
    where ctid = any (array(select ctid from deltas limit p_limit for update skip locked))
    returning *
  ), lasted as (
    select taken.queue, date_bin('1 minute', taken.at, 'epoch') as minute,
           width_bucket(times.wait, c_bounds) as wait, width_bucket(times.run, c_bounds) as run,
           sum(coalesce(ended.size, 1)) as n, sum(times.wait * coalesce(ended.size, 1)) as wait_seconds,
           sum(times.run * coalesce(ended.size, 1)) as run_seconds
    from taken
    cross join lateral unnest(taken.due_ats, taken.started_ats, taken.sizes) as ended (due_at, started_at, size)
    cross join lateral (
      -- A start reported by a worker whose clock is wrong may be out of order.
      -- From the seconds of each, for the ends of the calendar are farther apart than an interval is long.
      select greatest(date_part('epoch', ended.started_at) - date_part('epoch', ended.due_at), 0) as wait,
             greatest(date_part('epoch', taken.at) - date_part('epoch', ended.started_at), 0) as run
    ) as times
    -- An infinite time is of no use either.
    where isfinite(ended.started_at)
    group by 1, 2, 3, 4
  ), happened as (
    select queue, date_bin('1 minute', at, 'epoch') as minute, sum(enqueued) as enqueued, sum(claimed) as claimed,
           sum(done) as done, sum(failed) as failed, sum(cancelled) as cancelled, sum(requeued) as requeued,
           sum(retried) as retried, sum(lost) as lost,
           null::integer as wait, null::integer as run, 0::bigint as n, 0::float8 as wait_seconds,
           0::float8 as run_seconds
    from taken
    group by 1, 2
    union all
    select queue, minute, 0, 0, 0, 0, 0, 0, 0, 0, wait, run, n, wait_seconds, run_seconds
    from lasted
  ), folded as materialized (
    select line.queue, span.width,
           case when span.width > 0
                then date_bin(make_interval(secs => span.width), happened.minute, 'epoch') end as at,
           sum(enqueued) as enqueued, sum(claimed) as claimed, sum(done) as done, sum(failed) as failed,
           sum(cancelled) as cancelled, sum(requeued) as requeued, sum(retried) as retried, sum(lost) as lost,
           sum(wait_seconds) as wait_seconds, sum(run_seconds) as run_seconds,
           bucket_counts(array_agg(wait) filter (where n > 0), array_agg(n) filter (where n > 0)) as waits,
           bucket_counts(array_agg(run) filter (where n > 0), array_agg(n) filter (where n > 0)) as runs
    from happened
    cross join (values (0), (60), (600), (3600)) as span (width)
    cross join lateral (values (happened.queue), ('*')) as line (queue)
    where span.width > 0 or line.queue <> '*'
    group by 1, 2, 3
  ), counted as (
    insert into counters (
      queue, width, at, enqueued, claimed, done, failed, cancelled, requeued, retried, lost, wait_seconds,
      run_seconds, waits, runs
    )
    select * from folded where width > 0 order by queue, width, at
    on conflict (queue, width, at) do update
      set enqueued     = counters.enqueued + excluded.enqueued,
          claimed      = counters.claimed + excluded.claimed,
          done         = counters.done + excluded.done,
          failed       = counters.failed + excluded.failed,
          cancelled    = counters.cancelled + excluded.cancelled,
          requeued     = counters.requeued + excluded.requeued,
          retried      = counters.retried + excluded.retried,
          lost         = counters.lost + excluded.lost,
          wait_seconds = counters.wait_seconds + excluded.wait_seconds,
          run_seconds  = counters.run_seconds + excluded.run_seconds,
          waits        = add_counts(counters.waits, excluded.waits),
          runs         = add_counts(counters.runs, excluded.runs)
  ), totalled as (
    insert into totals (
      queue, enqueued, claimed, done, failed, cancelled, requeued, retried, lost, wait_seconds, run_seconds, waits, runs
    )
    select queue, enqueued, claimed, done, failed, cancelled, requeued, retried, lost, wait_seconds,
           run_seconds, waits, runs
    from folded
    where width = 0
    order by queue
    on conflict (queue) do update
      set enqueued     = totals.enqueued + excluded.enqueued,
          claimed      = totals.claimed + excluded.claimed,
          done         = totals.done + excluded.done,
          failed       = totals.failed + excluded.failed,
          cancelled    = totals.cancelled + excluded.cancelled,
          requeued     = totals.requeued + excluded.requeued,
          retried      = totals.retried + excluded.retried,
          lost         = totals.lost + excluded.lost,
          wait_seconds = totals.wait_seconds + excluded.wait_seconds,
          run_seconds  = totals.run_seconds + excluded.run_seconds,
          waits        = add_counts(totals.waits, excluded.waits),
          runs         = add_counts(totals.runs, excluded.runs)
  )
  select count(*) into v_folded from taken;
  return v_folded;
end;
$$;

-- add_counts() — two rows of buckets as one

create or replace function add_counts(p_counts bigint[], p_more bigint[])
  returns bigint[]
  language plpgsql
  immutable
as $$
begin
  for i in 1 .. cardinality(p_more) loop
    p_counts[i] := p_counts[i] + p_more[i];
  end loop;
  return p_counts;
end;
$$;

-- bucket_counts() — how many are in each bucket, given some buckets, counted from 0, and numbers for them

create or replace function bucket_counts(p_buckets integer[], p_counts bigint[])
  returns bigint[]
  language plpgsql
  immutable
as $$
declare
  v_counts bigint[] := array_fill(0::bigint, array[cardinality(duration_buckets()) + 1]);
begin
  for i in 1 .. coalesce(cardinality(p_buckets), 0) loop
    v_counts[p_buckets[i] + 1] := v_counts[p_buckets[i] + 1] + p_counts[i];
  end loop;
  return v_counts;
end;
$$;

-- duration_buckets() — the upper bounds, in seconds, by which waits and runs are counted
--
-- What is longer than the last is counted too, in one more place behind it.

create or replace function duration_buckets()
  returns float8[]
  language sql
  immutable
as $$
  select '{0.001,0.0025,0.005,0.01,0.025,0.05,0.1,0.25,0.5,1,2.5,5,10,30,60,300,900,3600,14400,86400}'::float8[];
$$;
