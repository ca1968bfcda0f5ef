-- pick_in_turn() — locks the next tasks of a fair queue, going round its groups
--
-- A fair queue keeps every group's tasks in a line of its own (tasks.turn). One
-- call serves up to p_limit groups, evenly or by weight, beginning behind the
-- group that this session served last; the next call goes on from there. Tasks
-- without a group are one more line.

create or replace function pick_in_turn(
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
begin
  select array_agg(turn) filter (where weight > 0), array_agg(weight) filter (where weight > 0),
         min(turn) filter (where weight = 0)
  into v_lines, v_shares, v_next
  from lines_with_room(p_queue, coalesce(v_turns ->> p_queue, ''), p_limit, p_common, p_now);
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
        and suits(kind, handler, version, p_kinds, p_handlers, p_versions_from, p_versions_to)
      order by run_at, id
      limit greatest(1, p_limit::bigint * line.weight / (select sum(share) from unnest(v_shares) as given (share)))
      for no key update skip locked
    ) as next
    limit greatest(1, p_limit::bigint * line.weight / (select sum(share) from unnest(v_shares) as given (share)))
  ) as due;

  if v_found is not null then
    select admitted.tids, admitted.ids into tids, ids
    from admit(v_found, p_limit, p_common, false, p_waits, p_now) as admitted;
  end if;
end;
$$;
