-- Fair queues: the groups of a queue take turns.

-- pick_fair_tasks() — locks the next tasks of a fair queue, going round its groups
--
-- A fair queue keeps every group's tasks in a line of its own (tasks.turn). One
-- call serves up to p_limit groups, evenly or by weight, beginning behind the
-- group that this session served last; the next call goes on from there. Tasks
-- without a group are one more line.

create or replace function pick_fair_tasks(
  p_queue         text,
  p_limit         integer,
  p_common        integer,
  p_kinds         text[],
  p_handlers      text[],
  p_versions_from integer[],
  p_versions_to   integer[],
  p_waits         boolean,
  p_now           timestamptz,
  out tids        tid[],
  out ids         bigint[]
)
  language plpgsql
as $$
declare
  v_turns  jsonb := coalesce(nullif(current_setting('tusk.turns', true), ''), '{}')::jsonb;
  v_lanes  integer[] := array(select distinct priority from lanes where queue = p_queue order by priority desc);
  v_lines  text[];
  v_shares integer[];
  v_next   text;
  v_found  tid[];
  v_held   record;
begin
  select array_agg(turn) filter (where weight > 0), array_agg(weight) filter (where weight > 0),
         min(turn) filter (where weight = 0)
  into v_lines, v_shares, v_next
  from find_lines_with_room(p_queue, coalesce(v_turns ->> p_queue, ''), p_limit, p_common, p_now);
  perform set_config('tusk.turns', jsonb_set(v_turns, array[p_queue], to_jsonb(v_next))::text, false);
  if v_lines is null then
    return;
  end if;

  select array_agg(due.ctid) into v_found
  from unnest(v_lines, v_shares) as line (turn, weight)
  cross join lateral (
    select next.ctid
    from unnest(v_lanes) as lane (priority)
    cross join lateral (
      select ctid
      from tasks
      where queue = p_queue
        and turn = line.turn
        and priority = lane.priority
        and run_at <= p_now
        and claim is null
        and (deadline is null or deadline > p_now)
        and can_run(kind, handler, version, p_kinds, p_handlers, p_versions_from, p_versions_to)
      order by run_at, id
      limit greatest(1, p_limit::bigint * line.weight / (select sum(share) from unnest(v_shares) as given (share)))
      for no key update skip locked
    ) as next
    limit greatest(1, p_limit::bigint * line.weight / (select sum(share) from unnest(v_shares) as given (share)))
  ) as due;

  if v_found is not null then
    v_held := hold_groups_of(v_found, p_common, p_waits, p_now);
    select admitted.tids, admitted.ids into tids, ids
    from admit_tasks(v_found, p_limit, p_common, false, v_held.names, v_held.busy, p_now) as admitted;
  end if;
end;
$$;

-- find_lines_with_room() — the groups that wait in a fair queue and may start a task
--
-- Once around from p_from, a few index probes per group; groups that are full,
-- paused, not due for their next start or without a due task are passed over. A limit
-- that comes with the first task that waits goes before the group's; where the first of
-- the line, which may be running, came with none, a full group is passed over unasked.
-- Looked up without a lock: admit_tasks() decides, and asks each task. The last row, of weight 0,
-- says where to go on.

create or replace function find_lines_with_room(
  p_queue text, p_from text, p_limit integer, p_common integer, p_now timestamptz
)
  returns table (turn text, weight integer)
  language plpgsql
as $$
declare
  c_visits constant integer := 2000;
  v_from    text := p_from;
  v_lanes   integer[] := array(select distinct priority from lanes where queue = p_queue);
  v_own     integer;
  v_is_shut boolean;
  v_wrapped boolean := p_from = '';
  v_found   integer := 0;
begin
  for i in 1..c_visits loop
    select tasks.turn, tasks.max_running into turn, v_own
    from tasks
    where tasks.queue = p_queue and tasks.turn >= v_from
    order by tasks.turn
    limit 1;

    if turn is null or (v_wrapped and p_from <> '' and turn >= p_from) then
      exit when v_wrapped;
      v_wrapped := true;
      v_from := '';
      continue;
    end if;

    v_from := turn || chr(1);
    if v_own is null then
      perform from groups
      where name = find_lines_with_room.turn
        and (paused_at is not null or next_start_at > p_now or running >= coalesce(max_running, p_common));
      continue when found;
    end if;
    select waiting.max_running into v_own
    from unnest(v_lanes) as lane (priority)
    cross join lateral (
      select tasks.max_running
      from tasks
      where tasks.queue = p_queue and tasks.turn = find_lines_with_room.turn and tasks.priority = lane.priority
        and tasks.run_at <= p_now and tasks.claim is null
      order by tasks.run_at, tasks.id
      limit 1
    ) as waiting
    order by lane.priority desc
    limit 1;
    continue when not found;
    select coalesce(max(groups.weight), 1),
           coalesce(bool_or(
             paused_at is not null or next_start_at > p_now
               or running >= coalesce(v_own, max_running, p_common)), false)
    into weight, v_is_shut
    from groups
    where name = find_lines_with_room.turn;
    continue when v_is_shut;
    return next;
    v_found := v_found + 1;
    exit when v_found >= p_limit;
  end loop;
  turn := v_from;
  weight := 0;
  return next;
end;
$$;
