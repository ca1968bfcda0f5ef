-- count_states() — how many tasks of each state match a filter, as far as that can be counted soon
--
--   select * from count_states('{"queue": "mail"}');
--
-- Takes what page_tasks() takes. All states together take no longer than about p_within.
-- When exact is false there are at least so many; up to p_cap are counted of each. With no
-- filter, or with that of a queue alone, what has ended is not counted: beyond the last
-- thousand it is estimated from counters, and may be more or less.

create or replace function count_states(
  p_filter jsonb    default '{}',
  p_cap    integer  default 10000,
  p_within interval default '150 ms'
)
  returns table (state text, count bigint, exact boolean, estimated boolean)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  -- Those that are found in the same way, the cheapest first.
  c_passes constant jsonb := '[["running"], ["waiting", "scheduled", "retrying", "blocked", "ready"], '
                             '["failed", "cancelled"], ["done"]]';
  c_few    constant integer := 1000;
  v_until  timestamptz;
  v_want   task_filter := read_filter(p_filter);
  v_plain  boolean := jsonb_strip_nulls(p_filter) - '{queue,states}'::text[] = '{}' and sees_all();
  v_told   boolean;
  v_states text[];
  v_found  record;
begin
  perform check_count(p_cap, p_within);
  v_until := clock_timestamp() + p_within;

  for v_pass in 0..3 loop
    v_states := array(
      select given.state
      from jsonb_array_elements_text(c_passes -> v_pass) as given (state)
      where v_want.states is null or given.state = any (v_want.states));
    continue when v_states = '{}';
    -- Of what ended, one look at the newest: whether there are any, and all of them where they are few.
    v_told := v_plain and v_pass >= 2;
    v_found := search_tasks(
      p_filter || jsonb_build_object('states', v_states), null,
      case when v_told then c_few else p_cap * cardinality(v_states) end,
      case when v_told then interval '0'
           else greatest(v_until - clock_timestamp(), interval '0') / case when v_plain then 1 else 4 - v_pass end
      end,
      true);
    return query
      select wanted.state,
             case when v_told and v_found.next is not null then greatest(seen.n, kept.n)
                  else least(seen.n, p_cap) end,
             v_found.next is null and (v_told or seen.n <= p_cap),
             v_told and v_found.next is not null
      from unnest(v_states) as wanted (state)
      cross join lateral (select count(*) as n from unnest(v_found.states) as found (state)
                          where found.state = wanted.state) as seen
      left join (select told.state, told.n from kept_counts(v_want.queue) as told
                 where v_told and v_found.next is not null) as kept
        on kept.state = wanted.state;
  end loop;
end;
$$;

-- kept_counts() — about how many ended tasks of each state are kept, by the counters
--
-- For count_states(): what ended within the time that its queue keeps it, to the hour.
-- Nothing of finished is read. What was deleted or retried meanwhile is still in it.

create or replace function kept_counts(p_queue text)
  returns table (state text, n bigint)
  language sql
  stable
as $$
  with known as materialized (
    select told.queue, clock_timestamp() - ends.keep_done as done_from,
           clock_timestamp() - ends.keep_failed as failed_from,
           clock_timestamp() - ends.keep_cancelled as cancelled_from
    from (select queue from totals union select distinct queue from deltas) as told
    cross join lateral queue_rules(told.queue) as ends
    where p_queue is null or told.queue = p_queue
  ), ended as (
    select counters.done, counters.failed, counters.cancelled,
           counters.at > done_from - interval '1 hour' as keeps_done,
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
