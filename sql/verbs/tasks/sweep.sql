-- sweep(): done | failed | cancelled → gone, when their retention is over
--
-- Days whose last row has expired are dropped as a whole; single rows only where
-- they are kept for less than a day, or have outlived their day's company. Also
-- prepares the coming days, and forgets keys, events, counters, groups of errors, groups
-- and occurrences past their use.
-- Answers with the number of tasks swept as rows, the days dropped, and whether p_limit
-- left more to be done. Of what many tasks leave behind, no call takes more than it can
-- do within the time that a leader is trusted: what is cut off there begins anew for ever.

create or replace function sweep(p_limit integer default 10000, out tasks bigint, out days integer, out more boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  -- Of rows that nothing hangs on.
  c_light  constant integer := 10;
  v_now    timestamptz := clock_timestamp();
  v_events bigint;
  v_keys   bigint;
  v_groups bigint;
  v_gone   bigint[];
begin
  perform check_round(p_limit);
  -- The block range index on keep_until can be read in no other way.
  set local enable_bitmapscan = on;
  perform prepare_days(v_now);
  select dropped.days, dropped.more into days, more from drop_days(p_limit, v_now) as dropped;
  if days > 0 then
    -- Until the end of this transaction no session can end a task: the rest comes with the next.
    tasks := 0;
    more := true;
    return;
  end if;

  -- Three looks: one at all of it would read whatever has expired and waits for the last
  -- of its day. What is kept for less than a day and did not outlive it has ended lately.
  with expired as (
    select tableoid, ctid
    from (
      select tableoid, ctid from finished
      where keep_until <= v_now - interval '1 day' limit p_limit for update skip locked
    ) as outlived
    union all
    select tableoid, ctid
    from (
      select tableoid, ctid
      from finished
      where finished_at > v_now - interval '2 days'
        and keep_until > v_now - interval '1 day' and keep_until <= v_now
        and keep_until - finished_at < interval '1 day'
      limit p_limit
      for update skip locked
    ) as short
    union all
    select tableoid, ctid
    from (
      select tableoid, ctid
      from finished_default
      where keep_until > v_now - interval '1 day' and keep_until <= v_now
        and keep_until - finished_at >= interval '1 day'
      limit p_limit
      for update skip locked
    ) as astray
    limit p_limit
  ), gone as (
    delete from finished
    using expired
    where finished.tableoid = expired.tableoid and finished.ctid = expired.ctid
    returning finished.id, finished.size, finished.queue, finished.key
  ), member as (
    select gone.id + n as id from gone cross join lateral generate_series(0, gone.size - 1) as n
  ), unkept as (
    delete from keys
    using gone
    where keys.queue = any (array[gone.queue]) and keys.key = gone.key and keys.task = gone.id
  ), unwritten as (
    delete from attempts using member where attempts.task = any (array[member.id])
  ), unlogged as (
    delete from logs using member where logs.task = any (array[member.id])
  ), unloaded as (
    delete from payloads using gone where payloads.task = any (array[gone.id])
  )
  select coalesce(sum(size), 0), (select array_agg(id) from member) into tasks, v_gone from gone;
  perform delete_durable_traces(v_gone);

  delete from keys
  where ctid = any (array(
    select ctid from keys
    where until > '-infinity' and until < 'infinity' and until <= v_now
      and not exists (select from tasks where id = keys.task)
    limit p_limit
    for update skip locked));
  get diagnostics v_keys = row_count;
  with gone as (
    delete from events
    where ctid = any (array(
      select ctid from events
      where at < v_now - interval '1 hour' limit p_limit::bigint * c_light for update skip locked))
    returning id
  ), told as (
    update queues set followed_from = gone.last
    from (select max(id) as last from gone) as gone
    where queues.name = '*' and queues.followed_from < gone.last
  )
  select count(*) into v_events from gone;
  delete from signals
  where ctid = any (array(
    select ctid from signals where keep_until < v_now limit p_limit for update skip locked));
  delete from waiters where until < v_now;
  delete from sql_runs where not exists (select from tasks where id = sql_runs.task and claim = sql_runs.claim);
  delete from sleepers where until < v_now - interval '1 hour';
  -- Not the last one of a chore, which its next terms count from.
  delete from terms
  where ended_at < v_now - interval '1 day'
    and exists (select from terms as later where later.chore = terms.chore and later.term > terms.term);
  delete from chores
  where coalesce(expires_at, renewed_at, registered_at) < v_now - interval '1 day'
    and registered_at < v_now - interval '1 day'
    and not exists (select from workers where chores.name = any (workers.chores));
  delete from chore_runs where not exists (select from chores where name = chore_runs.chore);
  delete from counters where width = 60 and at < v_now - interval '2 days';
  delete from counters where width = 600 and at < v_now - interval '8 days';
  delete from counters where width = 3600 and at < v_now - interval '90 days';
  delete from error_groups where last_at < v_now - interval '30 days';
  delete from error_counts where hour < v_now - interval '30 days';
  delete from groups
  where ctid = any (array(
    select ctid from groups
    where used_at < v_now - interval '1 day' and running = 0 and paused_at is null and max_running is null
      and gap is null and rate is null and weight = 1
      and not exists (select from tasks where parked_on = groups.name)
    limit p_limit
    for update skip locked));
  get diagnostics v_groups = row_count;
  perform delete_old_access_rows(p_limit, v_now);
  perform close_lanes(p_limit);
  -- Last, because fire() passes over the schedules that this holds.
  perform sweep_occurrences(p_limit, v_now);
  more := more or greatest(tasks, v_keys, v_groups, v_events / c_light) >= p_limit;
end;
$$;

-- sweep_occurrences() — forgets occurrences that are older than their schedule keeps them
--
-- Remembers up to when: backfill() must not take for missing what has fired. fire()
-- never goes back behind next_at, so nothing that is swept can come again. A schedule
-- that another session holds is left to the next time, and none is held for longer than the
-- deletion takes: fire() passes over what is held.

create or replace function sweep_occurrences(p_limit integer, p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_name text;
  v_plan schedules;
begin
  for v_name in
    select name from schedules
    where exists (select from occurrences where schedule = name and planned_at < p_now - keep)
    order by name
  loop
    select * into v_plan from schedules where name = v_name for update skip locked;
    continue when not found;
    with old as (
      select planned_at
      from occurrences
      where schedule = v_name and planned_at < least(p_now - v_plan.keep, v_plan.next_at)
      order by planned_at
      limit p_limit
    ), gone as (
      delete from occurrences
      using old
      where occurrences.schedule = v_name and occurrences.planned_at = old.planned_at
      returning occurrences.planned_at
    )
    update schedules
    set swept_until = last.planned_at
    from (select max(planned_at) as planned_at from gone) as last
    where name = v_name and last.planned_at is not null;
  end loop;
end;
$$;

-- delete_old_access_rows() — forgets answers after 24 hours, sessions and operations after 7 days, the audit after 90

create or replace function delete_old_access_rows(p_limit integer, p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  delete from requests
  where ctid = any (array(select ctid from requests where expires_at <= p_now limit p_limit for update skip locked));
  delete from sessions
  where ctid = any (array(select ctid from sessions where expires_at <= p_now limit p_limit for update skip locked));
  delete from operations
  where ctid = any (array(
    select ctid from operations where ended_at < p_now - interval '7 days' limit p_limit for update skip locked));
  -- An hour later than the trigger audit_is_kept would allow it: clocks are set now and then.
  delete from audit
  where ctid = any (array(
    select ctid from audit where at < p_now - interval '90 days 1 hour' order by at limit p_limit));
  -- Expired and revoked tokens are kept as long as the audit may name them.
  delete from tokens where least(revoked_at, expires_at) < p_now - interval '91 days';
end;
$$;
