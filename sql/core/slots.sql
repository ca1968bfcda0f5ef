-- Slots are given back, and limits change.

-- free_groups() — gives slots back, and hands them on
--
-- One element per task that left and group it named: its slot is given back if it ran
-- (p_ran), and in any case the next in line may move up. Rows are locked in the order of
-- lock_groups(). A group without a row has nothing to give back; one whose count has
-- not begun (opened_by) will not count what has left.
--
-- A group of which nothing ran is not locked. A caller that changes many tasks holds groups since lock_tasks(), which
-- passed by those that had no row or no count yet. To wait for one of these now would break the order.

create or replace function free_groups(p_groups text[], p_ran integer[], p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_names text[];
  v_ended integer[];
  v_left  integer[];
  v_freed text[];
  v_rated text[];
  v_group groups;
begin
  select array_agg(given.name), array_agg(given.ended), array_agg(given.n),
         array_agg(given.name) filter (where given.ended > 0)
  into v_names, v_ended, v_left, v_freed
  from (
    select name, sum(ran)::integer as ended, count(*)::integer as n
    from unnest(p_groups, p_ran) as each (name, ran)
    group by name
    order by left(name, 1) <> '@', name collate "C"
  ) as given;
  -- One look instead of one per group, when none has a row. The update alone would lock them in the order of its plan.
  -- A transaction that begins to count a group holds its row and waits for the rows of tasks, which this one holds: so
  -- rows of groups that are not counted yet are not waited for.
  if cardinality(v_freed) > 1 then
    perform from groups
    where name = any (v_freed) and opened_by is null
    order by left(name, 1) <> '@', name
    for no key update;
  else
    perform from groups where name = any (v_freed);
  end if;
  if found then
    with freed as (
      update groups
      set running       = running - v_ended[i],
          used_at       = p_now,
          next_start_at = case
            when gap > interval '0' and gap_from = 'end' then greatest(next_start_at, p_now + gap)
            else next_start_at
          end
      from generate_subscripts(v_names, 1) as i
      where v_ended[i] > 0 and groups.name = any (array[v_names[i]]) and groups.opened_by is null
      returning groups.name, rate
    )
    select array_agg(name) into v_rated from freed where rate is not null;
  end if;
  if v_rated is not null then
    for v_group in
      select * from groups where name = any (v_rated)
    loop
      perform refresh_rate(v_group, p_now);
    end loop;
  end if;

  -- Likewise, when no task waits for any.
  if v_names is not null and exists (select from tasks where parked_on is not null) then
    perform unpark_tasks(v_names, v_left);
  end if;
end;
$$;

-- change_group() — the limits of a group, or of a queue as the group '@' || queue

create or replace function change_group(p_group text, p_settings jsonb)
  returns void
  language plpgsql
as $$
declare
  v_now   timestamptz := clock_timestamp();
  v_old   groups;
  v_new   groups;
  v_fault text;
begin
  perform lock_groups(array[p_group], v_now, p_creates => true);
  select * into v_old from groups where name = p_group;
  v_fault := unfit_setting(v_old, p_settings);
  v_new := jsonb_populate_record(v_old, case when v_fault is null then p_settings end);
  v_new.gap_from := coalesce(v_new.gap_from, 'start');
  v_new.weight := coalesce(v_new.weight, 1);
  v_fault := coalesce(v_fault, case
    when v_new.max_running < 0 then 'max_running must not be negative'
    when v_new.gap < interval '0' then 'gap must not be negative'
    when greatest(v_new.gap, v_new.rate_window) > interval '1000 years'
      then 'gap and rate_window must be 1000 years or less'
    when v_new.gap_from not in ('start', 'end') then format('gap_from %L is unknown; use start or end', v_new.gap_from)
    when v_new.rate < 1 then 'rate must be 1 or more'
    when (v_new.rate is null) <> (v_new.rate_window is null) then 'rate and rate_window go together'
    when v_new.rate_window < interval '10 milliseconds' then 'rate_window must be 10 milliseconds or more'
    -- Months differ in length; a window must not.
    when extract(month from v_new.rate_window) <> 0 or extract(year from v_new.rate_window) <> 0
      then 'rate_window must be given in days or less'
    when v_new.weight < 1 then 'weight must be 1 or more'
  end);
  if v_fault is not null then
    perform refuse('TK004', format(
      'invalid settings of %s: %s',
      case when left(p_group, 1) = '@' then 'queue ' || substr(p_group, 2) else 'group ' || p_group end,
      v_fault), 'Nothing was changed.');
  end if;

  update groups
  set max_running   = v_new.max_running,
      gap           = v_new.gap,
      gap_from      = v_new.gap_from,
      rate          = v_new.rate,
      rate_window   = v_new.rate_window,
      rate_left     = null,
      weight        = v_new.weight,
      next_start_at = case when p_settings ?| '{gap,rate,rate_window}' then null else next_start_at end
  where name = p_group;
  perform lock_groups(array[p_group], v_now);
  if v_old.next_start_at > v_now and p_settings ?| '{gap,rate,rate_window}' then
    perform start_dated_tasks_now(p_group, v_old.next_start_at, v_now);
  end if;
  perform reopen_group(p_group);
  if v_new.max_running < v_old.running then
    perform recall_unstarted(p_group);
  end if;
end;
$$;

-- start_dated_tasks_now() — lets tasks that were dated for a group's next start begin now
--
-- When the gap or the rate that they waited for has changed. They are known by
-- that very time, and found lane by lane in the claim index.

create or replace function start_dated_tasks_now(p_group text, p_dated timestamptz, p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  update tasks
  set run_at = p_now
  where ctid = any (array(
    select dated.ctid
    from (select distinct queue, priority from lanes) as lane
    join tasks as dated on dated.queue = lane.queue and dated.priority = lane.priority
    where dated.parked_on is null and dated.turn is null and dated.run_at = p_dated and dated.claim is null
      and p_group = any (dated.groups)
    for no key update of dated skip locked
  ));
end;
$$;

-- reopen_group() — after its limits changed, lets in as many parked tasks as now have room
--
-- The caller holds the group's row. A group without a limit lets everybody back
-- into the claim index; the rings wake those who sleep.

create or replace function reopen_group(p_group text)
  returns void
  language plpgsql
as $$
declare
  v_group groups;
begin
  select * into v_group from groups where name = p_group;
  -- greatest() passes over nulls, so "no limit" must be distinguished from a limit of nothing.
  perform unpark_tasks(array[p_group], array[case
    when v_group.max_running is null then 2147483647
    else greatest(v_group.max_running - v_group.running, 0)
  end]);
  if left(p_group, 1) = '@' then
    perform wake_workers(array[substr(p_group, 2)]);
  else
    perform wake_workers(array(select distinct queue from sleepers));
  end if;
end;
$$;

-- recall_unstarted() — asks workers to give back what they claimed of a group and have not started
--
-- When its limit is now below what is claimed, or it is paused. A worker claims ahead, and
-- what waits in its buffer counts as running: without this it would still start. Of a queue
-- the name is '@' || queue. A worker that does not listen starts what it holds.

create or replace function recall_unstarted(p_group text)
  returns void
  language plpgsql
as $$
begin
  -- A longer message is an error; no name of a group in single-byte letters is that long.
  if octet_length(p_group) < 8000 then
    perform pg_notify(current_schema() || ':limits', p_group);
  end if;
end;
$$;

-- count_running() — how many tasks of a group, or of a queue, really run

create or replace function count_running(p_group text)
  returns integer
  language sql
  stable
as $$
  select coalesce(sum(tasks.size), 0)::integer
  from claims
  cross join lateral unnest(claimed_ids(claims)) as held (id)
  join tasks on tasks.id = any (array[held.id]) and tasks.claim = claims.id
  where case
    when left(p_group, 1) = '@' then claims.queue = substr(p_group, 2)
    else p_group = any (tasks.groups) and tasks.parked_on is null
  end;
$$;
