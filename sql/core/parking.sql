-- Tasks of full groups wait outside the claim index, and come back when there is room.

-- park_tasks() — takes tasks of full groups out of the claim index
--
-- The first that waits for a mere point in time (a gap, a rate) is dated for it
-- instead, and becomes claimable by the passing of time. A parked task no longer
-- stands in line for its other groups, so those hand on.

create or replace function park_tasks(p_tasks tid[], p_blockers text[], p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_others text[];
begin
  with refused as materialized (
    select given.tid, given.blocker, groups.next_start_at,
           groups.paused_at is null and groups.next_start_at > p_now
             and (groups.max_running is null or groups.running < groups.max_running)
             and row_number() over (partition by given.blocker order by given.place) = 1 as waits_for_time
    from unnest(p_tasks, p_blockers) with ordinality as given (tid, blocker, place)
    join groups on groups.name = given.blocker
  ), moved as (
    update tasks
    set parked_on = case when refused.waits_for_time then null else refused.blocker end,
        run_at    = case when refused.waits_for_time then refused.next_start_at else tasks.run_at end
    from refused
    where tasks.ctid = refused.tid
    returning tasks.groups, refused.blocker
  )
  select array_agg(name) into v_others
  from moved
  cross join lateral unnest(moved.groups) as given (name)
  where cardinality(moved.groups) > 1 and given.name <> moved.blocker;

  if v_others is not null then
    perform unpark_tasks(v_others, array_fill(1, array[cardinality(v_others)]));
  end if;
end;
$$;

-- find_parked_places() — which tasks of a bulk begin parked, because their group cannot take them all
--
-- Of the due tasks of one limited group, as many as its limit begin in the claim
-- index and the rest behind them: each of those that starts will hand on when it
-- ends. So a flood of one group never stands in front of others. Only tasks of a
-- single group, and only behind tasks of the same bulk: what waits is committed
-- together with what will wake it. A task that is still to be debounced wakes no other.

create or replace function find_parked_places(p_tasks new_task[], p_now timestamptz)
  returns text[]
  language plpgsql
as $$
begin
  return (
    select array_agg(case when ranked.rank > ranked.room then ranked.name end order by ranked.place)
    from (
      select given.place, given.groups[1] as name,
             coalesce(given.max_running, groups.max_running, rules.group_max_running) as room,
             case when cardinality(given.groups) = 1 and given.is_due then
               row_number() over (
                 partition by given.groups, given.is_due
                 order by coalesce(given.priority, 0) desc, coalesce(given.run_at, p_now), given.place)
             end as rank
      from (
        select task.queue, task.groups, task.priority, task.run_at, task.max_running, task.ordinality as place,
               coalesce(task.run_at, p_now) <= p_now
                 and not (task.run_at is null and coalesce(task.on_duplicate, 'keep') = 'debounce') as is_due
        from unnest(p_tasks) with ordinality as task
      ) as given
      left join groups on groups.name = given.groups[1]
      cross join lateral queue_rules(given.queue) as rules
    ) as ranked);
end;
$$;

-- unpark_tasks() — lets the next parked tasks of these groups back into the claim index
--
-- In order of priority, time and arrival; as many per group as p_counts says. A
-- group with a gap or a rate dates them for its next start. Nothing is reserved:
-- the next claim() still checks. Code that takes a task of a group out of the claim
-- index for good calls this for it, so a group with parked tasks always has a
-- task running or waiting in the index, or is owed one: a claim that looked at a task
-- while it was being parked holds its row until it commits, and cannot be waited for
-- here, for it may wait for the group. The next claim that falls short pays (unpark_owed_groups()).

create or replace function unpark_tasks(p_names text[], p_counts integer[])
  returns void
  language plpgsql
as $$
declare
  v_queues text[];
  v_missed text[];
begin
  with line as materialized (
    select given.name, given.n
    from unnest(p_names, p_counts) as given (name, n)
    where exists (select from tasks where parked_on = any (array[given.name]))
  ), waiting as materialized (
    select line.name, line.n, groups.next_start_at
    from line
    left join groups on groups.name = any (array[line.name])
    where groups.paused_at is null
  ), next as materialized (
    select waiting.name, parked.ctid, greatest(parked.run_at, waiting.next_start_at) as run_at
    from waiting
    cross join lateral (
      select ctid, run_at
      from tasks
      where parked_on = waiting.name and claim is null
      order by priority desc, run_at, id
      limit waiting.n
      for no key update skip locked
    ) as parked
  ), freed as (
    update tasks
    set parked_on = null,
        run_at    = next.run_at
    from next
    where tasks.ctid = next.ctid
    returning tasks.queue
  ), told as materialized (
    select name, sum(n) as n, sum(moved) as moved
    from (select name, n::bigint, 0 as moved from waiting union all select name, 0, 1 from next) as each
    group by name
  ), missed as (
    select name
    from told
    where moved < n
      and moved < (select count(*) from (
        select from tasks where parked_on = told.name and claim is null limit told.moved + 1) as still)
  )
  select (select array_agg(distinct queue) from freed), (select array_agg(name) from missed) into v_queues, v_missed;

  if v_missed is not null then
    update groups
    set is_owed = true
    where name in (select name from groups where name = any (v_missed) for no key update skip locked);
  end if;
  if v_queues is not null then
    perform wake_workers(v_queues);
    -- Read by a worker in the statement that reports: it claims again at once.
    perform set_config('tusk.hands_on', 'yes', true);
  end if;
end;
$$;

-- unpark_heads() — lets the first parked task of each queue back in, for a group with room
--
-- Answers with how many. The caller holds the group's row.

create or replace function unpark_heads(p_group text)
  returns integer
  language plpgsql
as $$
declare
  v_queues text[];
begin
  with head as (
    select distinct on (queue) id
    from tasks
    where parked_on = p_group and claim is null
    order by queue, priority desc, run_at, id
  ), freed as (
    update tasks
    set parked_on = null
    where ctid = any (array(
      select tasks.ctid from head join tasks on tasks.id = any (array[head.id]) for no key update of tasks skip locked
    ))
    returning queue
  )
  select array_agg(queue) into v_queues from freed;
  perform wake_workers(v_queues);
  return coalesce(cardinality(v_queues), 0);
end;
$$;

-- unpark_owed_groups() — lets a parked task back in of each group that is owed one; see unpark_tasks()
--
-- Waits for no lock: the caller may hold tasks and groups.

create or replace function unpark_owed_groups()
  returns void
  language plpgsql
as $$
declare
  v_name text;
begin
  for v_name in
    select name from groups where is_owed for no key update skip locked
  loop
    if unpark_heads(v_name) > 0 or not exists (select from tasks where parked_on = v_name and claim is null) then
      update groups set is_owed = false where name = v_name;
    end if;
  end loop;
end;
$$;

-- prepare_next_start() — keeps the line of a group with a gap or a rate moving
--
-- Such a group waits for time, not for an end: so each start brings the next
-- parked task back into the index, dated for the group's next start. A rate with
-- starts to spare brings back as many.

create or replace function prepare_next_start(p_names text[])
  returns void
  language plpgsql
as $$
declare
  v_names  text[];
  v_counts integer[];
begin
  select array_agg(name), array_agg(greatest(least(coalesce(rate_left, 1), 100), 1))
  into v_names, v_counts
  from groups
  where name = any (p_names) and (rate is not null or (gap > interval '0' and gap_from = 'start'));

  if v_names is not null then
    perform unpark_tasks(v_names, v_counts);
  end if;
end;
$$;
