-- Why a task waits: the limits of its queue and groups, and its place in line.

-- explain_limits() — which groups of a task have no room for it
--
-- Paused ones are explained by explain_pauses().

create or replace function explain_limits(p_row tasks, p_is_counted boolean, p_common integer, p_now timestamptz)
  returns wait_reason[]
  language plpgsql
  stable
as $$
declare
  v_found wait_reason[] := '{}';
  v_group groups;
  v_own   integer;
begin
  for v_group in
    select * from groups
    where (p_is_counted and name = '@' || p_row.queue) or name = any (p_row.groups)
    order by name
  loop
    continue when v_group.paused_at is not null;
    if v_group.next_start_at > p_now then
      v_found := v_found || rate_limit_reason(v_group.name, v_group.next_start_at);
      continue;
    end if;
    -- Starts that have left the window are taken off by the next claim, which then finds room.
    v_group.rate_left := null;
    v_own := case when left(v_group.name, 1) <> '@' then p_row.max_running end;
    if group_room(v_group, v_own, case when left(v_group.name, 1) <> '@' then p_common end, p_now) = 0 then
      v_found := v_found || full_reason(
        v_group, coalesce(v_own, v_group.max_running, case when left(v_group.name, 1) <> '@' then p_common end));
    end if;
  end loop;
  return v_found;
end;
$$;

-- full_reason() — a queue or group has as many running tasks as it may

create or replace function full_reason(p_group groups, p_limit integer)
  returns wait_reason
  language sql
  stable
as $$
  select row(
    target || '_full', format('%s %s is full (%s of %s)', target, name, p_group.running, p_limit),
    format('It starts when one of them ends. To let more run at once: tusk %s set %s --max-running %s', target,
           quote_for_shell(name), p_limit + 1),
    jsonb_build_object(target, name, 'running', p_group.running, 'max_running', p_limit))::wait_reason
  from (
    select case when left(p_group.name, 1) = '@' then 'queue' else 'group' end as target,
           show_group(p_group.name) as name
  ) as limited;
$$;

-- rate_limit_reason() — a gap or a rate of a queue or group allows the next start only then

create or replace function rate_limit_reason(p_group text, p_until timestamptz)
  returns wait_reason
  language sql
  stable
as $$
  select row(
    target || '_rate_limited', format('%s %s is rate limited until %s', target, name, show_time(p_until)), null,
    jsonb_build_object(target, name, 'until', p_until))::wait_reason
  from (
    select case when left(p_group, 1) = '@' then 'queue' else 'group' end as target, show_group(p_group) as name
  ) as limited;
$$;

-- show_group() — the name of a group as people know it: that of a queue without its @

create or replace function show_group(p_name text)
  returns text
  language sql
  immutable
as $$
  select case when left(p_name, 1) = '@' then substr(p_name, 2) else p_name end;
$$;

-- explain_line() — how many tasks go first; if nothing else keeps it (p_is_free), what comes next
--
-- Looks at 10,000 rows at most.

create or replace function explain_line(p_row tasks, p_place integer, p_is_free boolean, p_now timestamptz)
  returns wait_reason[]
  language plpgsql
  stable
as $$
declare
  c_cap   constant integer := 10000;
  v_found wait_reason[] := '{}';
  v_line  text := coalesce(p_row.parked_on, nullif(p_row.turn, ''));
  v_ahead record;
  v_able  record;
begin
  if p_is_free then
    select coalesce(sum(slots), 0) as slots, coalesce(sum(held.tasks), 0) as tasks, count(*) as workers into v_able
    from serving_workers(p_row.queue, p_now) as workers
    cross join lateral (
      select coalesce(sum(open), 0) as tasks from claims where claims.worker = workers.id
    ) as held
    where can_run(p_row.kind, p_row.handler, p_row.version, kinds, handlers, versions_from, versions_to);
    if v_able.workers > 0 and v_able.tasks >= v_able.slots then
      v_found := v_found || row(
        'workers_busy', format('all %s slots of its workers are busy', v_able.slots),
        'It starts when one of their tasks ends. To run more at once, add workers or raise their concurrency.',
        jsonb_build_object('workers', v_able.workers, 'slots', v_able.slots, 'tasks', v_able.tasks))::wait_reason;
    end if;
  end if;
  v_ahead := count_ahead(p_row, c_cap, p_now);
  v_ahead.total := v_ahead.total + p_place;
  if v_ahead.total > 0 or v_ahead.is_capped then
    return v_found || row(
      'behind',
      format('behind %s%s%s', to_char(least(v_ahead.total, c_cap), 'FM999,999'),
             case when v_ahead.is_capped then '+' end,
             case when v_ahead.total = 1 and not v_ahead.is_capped then ' other' else ' others' end
               || coalesce(' of group ' || v_line, '')),
      null,
      jsonb_strip_nulls(jsonb_build_object(
        'count', least(v_ahead.total, c_cap), 'at_least', v_ahead.is_capped, 'group', v_line)))::wait_reason;
  end if;
  if p_is_free and v_found = '{}' then
    return array[row('next', 'next in line: a worker takes it when it looks again', null, '{}')::wait_reason];
  end if;
  return v_found;
end;
$$;

-- count_ahead() — how many tasks a worker would take before those of a row, of p_cap rows at most
--
-- Those that are due, unclaimed, within their deadline, and that a worker of the queue can run: a claim
-- passes over the others. What waits for a group stands in the line of the group.

create or replace function count_ahead(
  p_row tasks, p_cap integer, p_now timestamptz, out total bigint, out is_capped boolean
)
  language plpgsql
  stable
as $$
declare
  v_seen bigint;
begin
  with able as materialized (
    select distinct kinds, handlers, versions_from, versions_to from serving_workers(p_row.queue, p_now)
  ), lane as (
    select distinct priority from lanes where queue = p_row.queue and priority >= p_row.priority
  ), ahead as (
    select line.*
    from lane
    cross join lateral (
      select tasks.* from tasks
      where p_row.parked_on is null and p_row.turn is null
        and queue = p_row.queue and parked_on is null and turn is null and tasks.priority = lane.priority
        and (run_at, id) < (case when lane.priority > p_row.priority then p_now else p_row.run_at end,
                            case when lane.priority > p_row.priority then 9223372036854775807 else p_row.id end)
      order by run_at, id
      limit p_cap
    ) as line
    union all
    select line.*
    from lane
    cross join lateral (
      select tasks.* from tasks
      where p_row.parked_on is null and p_row.turn is not null
        and queue = p_row.queue and turn = p_row.turn and tasks.priority = lane.priority
        and (run_at, id) < (case when lane.priority > p_row.priority then p_now else p_row.run_at end,
                            case when lane.priority > p_row.priority then 9223372036854775807 else p_row.id end)
      order by run_at, id
      limit p_cap
    ) as line
    union all
    select line.*
    from (
      select tasks.* from tasks
      where parked_on = p_row.parked_on
      order by priority desc, run_at, id
      limit p_cap
    ) as line
    where (-line.priority::bigint, line.run_at, line.id) < (-p_row.priority::bigint, p_row.run_at, p_row.id)
  ), seen as (
    select * from ahead limit p_cap
  )
  select count(*),
         coalesce(sum(seen.size) filter (
           where claim is null and (deadline is null or deadline > p_now)
             and (not exists (select from able) or exists (
               select from able
               where can_run(seen.kind, seen.handler, seen.version, able.kinds, able.handlers, able.versions_from,
                             able.versions_to)))), 0)
  into v_seen, total
  from seen;
  is_capped := v_seen >= p_cap or total > p_cap;
end;
$$;
