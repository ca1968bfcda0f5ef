-- Lines: tasks of a full group that a worker holds and runs one after the other.
--
-- A group of limit 1 runs one task at a time. If each of them took a claim and a report, short
-- tasks would wait for round trips most of the time. So a claim that starts a task of a full
-- group may take along the tasks that stand next in line for it. They are held by the claim
-- (tasks.claim) and still wait for the group (tasks.parked_on): they take no slot, do not count as
-- running, and the worker starts one only when a task before it has ended. When the engine hears
-- of that end, the slot passes to the next task of the line (pass_slots()), or goes back to the
-- group with the last of them.
--
-- So a task runs, and holds a slot of each of its groups, when it has a claim and is not parked.

-- pick_line() — locks the tasks that may follow those that a claim starts, in order
--
-- Of groups that wait for an end: not those that wait for time (a gap, a rate), not paused ones. A
-- follower takes over a slot as it is, so it names that one group and has the same limit. One with
-- a deadline must expire in time, and one that frees its key at its start must not free it now:
-- those do not follow.

create or replace function pick_line(
  p_queue         text,
  p_started       tid[],
  p_most          integer,
  p_kinds         text[],
  p_handlers      text[],
  p_versions_from integer[],
  p_versions_to   integer[],
  p_now           timestamptz,
  out tids        tid[],
  out ids         bigint[]
)
  language plpgsql
as $$
declare
  v_able record;
begin
  select p_handlers as handlers, p_versions_from as first, p_versions_to as last into v_able;
  select array_agg(next.ctid), array_agg(next.id) into tids, ids
  from (
    select started.groups[1] as name, min(started.max_running) as own
    from tasks as started
    join groups on groups.name = any (array[started.groups[1]])
    where started.ctid = any (p_started) and cardinality(started.groups) = 1
      and groups.rate is null and coalesce(groups.gap, interval '0') = interval '0' and groups.paused_at is null
    group by started.groups[1]
    having min(started.max_running) is not distinct from max(started.max_running)
       and count(started.max_running) in (0, count(*))
  ) as full_group
  cross join lateral (
    select ctid, id
    from tasks
    where parked_on = full_group.name
      and queue = p_queue
      and claim is null
      and run_at <= p_now
      and deadline is null
      and frees_key is null
      and cardinality(groups) = 1
      and max_running is not distinct from full_group.own
      and can_run(kind, handler, version, p_kinds, v_able.handlers, v_able.first, v_able.last)
    order by priority desc, run_at, id
    limit p_most
    for no key update skip locked
  ) as next;
  tids := tids[:p_most];
  ids := ids[:p_most];
end;
$$;

-- pass_slots() — hands the slots of tasks that left to those that follow them in their claim
--
-- One element per task that left: its claim and its groups, as for free_slots(). Answers with the
-- groups whose slots were passed on, one element for each. A follower that another transaction holds
-- is waited for: its worker may have started it.

create or replace function pass_slots(p_claims bigint[], p_groups text[])
  returns text[]
  language plpgsql
as $$
declare
  v_left   record;
  v_next   bigint[];
  v_passed text[] := '{}';
begin
  for v_left in
    select claims.id as claim, claims.line, ended.names[1] as name, ended.n
    from (
      select claim, names::text[] as names, count(*)::integer as n
      from unnest(p_claims, p_groups) as gone (claim, names)
      where claim is not null and names is not null
      group by claim, names
    ) as ended
    join claims on claims.id = any (array[ended.claim])
    where claims.line is not null and cardinality(ended.names) = 1
  loop
    v_next := array(
      select id from tasks
      where id = any (v_left.line) and claim = v_left.claim and parked_on = v_left.name
      order by priority desc, run_at, id
      limit v_left.n
      for no key update skip locked);
    if cardinality(v_next) < v_left.n then
      v_next := array(
        select id from tasks
        where id = any (v_left.line) and claim = v_left.claim and parked_on = v_left.name
        order by priority desc, run_at, id
        limit v_left.n
        for no key update);
    end if;
    update tasks set parked_on = null where id = any (v_next);
    v_passed := v_passed || array_fill(v_left.name, array[cardinality(v_next)]);
  end loop;
  return v_passed;
end;
$$;
