-- series() — what happened in one queue or in all, over time
--
--   select * from series('mail', now() - interval '1 hour', now(), 60);
--
-- One row for each p_width seconds from p_from until p_to, also where nothing happened. A
-- width is a multiple of 60: minutes are kept for 2 days, multiples of 600 for 8 days, of
-- 3600 for 90 days. How long attempts waited and ran is in seconds, at most half a minute
-- behind, and null where none ended.

create or replace function series(
  p_queue text        default null,
  p_from  timestamptz default clock_timestamp() - interval '1 hour',
  p_to    timestamptz default clock_timestamp(),
  p_width integer     default 60
)
  returns table (
    at timestamptz, enqueued bigint, started bigint, done bigint, failed bigint, cancelled bigint, retried bigint,
    lost bigint, wait_p50 float8, wait_p95 float8, wait_p99 float8, run_p50 float8, run_p95 float8, run_p99 float8
  )
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  c_most   constant integer := 5000;
  c_shares constant float8[] := '{0.5,0.95,0.99}';
  v_source integer := case when p_width % 3600 = 0 then 3600 when p_width % 600 = 0 then 600 else 60 end;
  v_step   interval;
  v_from   timestamptz;
begin
  if p_width is null or p_width < 60 or p_width % 60 <> 0 then
    perform refuse('TK004', format('a series cannot have points of %s seconds', coalesce(p_width::text, 'null')),
                   'Give a multiple of 60, such as 60, 600 or 3600.');
  end if;
  if plausible_time(p_from) is null or plausible_time(p_to) is null then
    perform refuse('TK004', 'a series needs a beginning and an end', 'Give p_from and p_to as timestamps.');
  end if;
  if date_part('epoch', p_to - p_from) / p_width > c_most then
    perform refuse('TK004', format('the series would have more than %s points', c_most),
                   'Give a greater width or a shorter time.');
  end if;
  if p_queue is not null and has_grants() then
    perform require_queues('operate', array[p_queue]);
  end if;
  v_step := make_interval(secs => p_width);
  v_from := date_bin(v_step, p_from, 'epoch');

  return query
    with kept as (
      select *
      from counters
      where queue = coalesce(p_queue, '*') and width = v_source and at >= v_from and at < p_to
    ), told as (
      select planned.at, 0 as enqueued, 0 as claimed, 0 as done, 0 as failed, 0 as cancelled, 0 as retried, 0 as lost,
             null::integer as bucket, null::bigint as waits, null::bigint as runs
      from generate_series(v_from, p_to - interval '1 microsecond', v_step) as planned (at)
      union all
      select date_bin(v_step, at, 'epoch'), enqueued, claimed, done, failed, cancelled, retried, lost, null, null, null
      from kept
      union all
      select date_bin(v_step, at, 'epoch'), enqueued, claimed, done, failed, cancelled, retried, lost, null, null, null
      from deltas
      where at >= v_from and at < p_to and (p_queue is null or queue = p_queue)
      union all
      select date_bin(v_step, at, 'epoch'), 0, 0, 0, 0, 0, 0, 0, place::integer - 1, wait, run
      from kept
      cross join lateral unnest(kept.waits, kept.runs) with ordinality as counts (wait, run, place)
      where wait > 0 or run > 0
    ), summed as (
      select at, sum(enqueued) as enqueued, sum(claimed) as claimed, sum(done) as done, sum(failed) as failed,
             sum(cancelled) as cancelled, sum(retried) as retried, sum(lost) as lost,
             case when count(bucket) > 0 then percentiles(
               bucket_counts(array_agg(bucket) filter (where bucket is not null),
                             array_agg(waits) filter (where bucket is not null)),
               c_shares) end as waits,
             case when count(bucket) > 0 then percentiles(
               bucket_counts(array_agg(bucket) filter (where bucket is not null),
                             array_agg(runs) filter (where bucket is not null)),
               c_shares) end as runs
      from told
      group by at
    )
    select at, enqueued::bigint, claimed::bigint, done::bigint, failed::bigint, cancelled::bigint, retried::bigint,
           lost::bigint, waits[1], waits[2], waits[3], runs[1], runs[2], runs[3]
    from summed
    order by at;
end;
$$;

-- percentiles() — how long it took each share of all at most, in seconds, estimated from buckets
--
-- The shares from the least to the greatest. Within a bucket times are thought of as spread
-- evenly; beyond the last bound nothing is known but that. Null when nothing was counted.

create or replace function percentiles(p_counts bigint[], p_shares float8[])
  returns float8[]
  language plpgsql
  immutable
  strict
as $$
declare
  c_bounds constant float8[] := duration_buckets();
  v_total  bigint := (select sum(n) from unnest(p_counts) as n);
  v_before bigint := 0;
  v_times  float8[] := '{}';
  v_next   integer := 1;
begin
  if v_total = 0 then
    return null;
  end if;
  for i in 1 .. cardinality(c_bounds) loop
    while p_counts[i] > 0 and v_next <= cardinality(p_shares)
          and p_shares[v_next] * v_total <= v_before + p_counts[i] loop
      v_times[v_next] := coalesce(c_bounds[i - 1], 0)
        + (c_bounds[i] - coalesce(c_bounds[i - 1], 0)) * (p_shares[v_next] * v_total - v_before) / p_counts[i];
      v_next := v_next + 1;
    end loop;
    exit when v_next > cardinality(p_shares);
    v_before := v_before + p_counts[i];
  end loop;
  for i in v_next .. cardinality(p_shares) loop
    v_times[i] := c_bounds[cardinality(c_bounds)];
  end loop;
  return v_times;
end;
$$;
