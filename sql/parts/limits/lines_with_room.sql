-- lines_with_room() — the groups that wait in a fair queue and may start a task
--
-- Once around from p_from, a few index probes per group; groups that are full,
-- paused, not due for their next start or without a due task are passed over. A limit
-- that comes with the first task that waits goes before the group's; where the first of
-- the line, which may be running, came with none, a full group is passed over unasked.
-- Looked up without a lock: admit() decides, and asks each task. The last row, of weight 0,
-- says where to go on.

create or replace function lines_with_room(
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
      where name = lines_with_room.turn
        and (paused_at is not null or next_start_at > p_now or running >= coalesce(max_running, p_common));
      continue when found;
    end if;
    select waiting.max_running into v_own
    from unnest(v_lanes) as lane (priority)
    cross join lateral (
      select tasks.max_running
      from tasks
      where tasks.queue = p_queue and tasks.turn = lines_with_room.turn and tasks.priority = lane.priority
        and tasks.run_at <= p_now and tasks.claim is null
      order by tasks.run_at, tasks.id
      limit 1
    ) as waiting
    order by lane.priority desc
    limit 1;
    continue when not found;
    select coalesce(max(groups.weight), 1),
           coalesce(bool_or(
             paused_at is not null or next_start_at > p_now or running >= coalesce(v_own, max_running, p_common)), false)
    into weight, v_is_shut
    from groups
    where name = lines_with_room.turn;
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
