-- look_through() — tasks that match a filter, the newest first, found within a time
--
-- For page_tasks(), count_tasks() and count_states(). Goes through the tasks in windows, which grow as long
-- as they take little of the time, until enough were found, all were looked at (then next
-- is null), or the time is up: next is then where to go on. At least one window is looked
-- at, so whoever goes on comes to an end. Every task before next was looked at, and none
-- behind it. Their states are told if p_by_state asks for them.

create or replace function look_through(
  p_filter jsonb, p_before bigint, p_limit integer, p_within interval, p_by_state boolean default false,
  out ids bigint[], out states text[], out next bigint
)
  language plpgsql
  stable
as $$
declare
  v_now     timestamptz := clock_timestamp();
  v_want    task_filter := read_filter(p_filter);
  v_shut    text[] := shut_queues();
  v_busy    text[] := busy_groups();
  v_window  integer := least(p_limit + 1, 1000);
  v_workers text[];
  v_named   bigint[];
  v_begun   timestamptz;
  v_seen    record;
  v_all     boolean := sees_all();
  v_shown   record;
begin
  if v_want.worker is not null then
    v_workers := array[v_want.worker];
  end if;
  if v_want.host is not null then
    v_workers := array(
      select id from workers where host = v_want.host and (v_want.worker is null or id = v_want.worker));
  end if;
  ids := '{}';
  states := '{}';
  next := coalesce(p_before, 9223372036854775807);
  v_named := named_tasks(v_want, v_workers, v_shut, v_busy, next);

  loop
    v_begun := clock_timestamp();
    if v_named is null then
      v_seen := look_at(v_want, v_workers, v_shut, v_busy, next, v_window, v_now, p_by_state);
    else
      select array_agg(task.id order by task.id desc) as ids, array_agg(task.state order by task.id desc) as states,
             v_named[least(v_window, cardinality(v_named))] as last, least(v_window, cardinality(v_named)) as seen
      into v_seen
      from stored_task as task
      where task.id = any (v_named[:v_window])
        and matches(
              v_want, v_workers, task.state, task.reason, task.queue, task.kind, task.handler, task.key, task.groups,
              task.tags, task.parent, task.submitted_by, task.worker, task.created_at, task.run_at, task.finished_at,
              task.payload, task.error);
      v_named := v_named[v_window + 1:];
    end if;
    if v_all then
      ids := ids || v_seen.ids;
      states := states || v_seen.states;
    else
      v_shown := visible_tasks(v_seen.ids, v_seen.states);
      ids := ids || v_shown.ids;
      states := states || v_shown.states;
    end if;
    next := v_seen.last;
    if cardinality(ids) > p_limit or (cardinality(ids) = p_limit and v_seen.seen >= v_window) then
      ids := ids[:p_limit];
      states := states[:p_limit];
      next := ids[p_limit];
      exit;
    end if;
    if v_seen.seen < v_window then
      next := null;
      exit;
    end if;
    exit when clock_timestamp() - v_now >= p_within;
    if clock_timestamp() - v_begun < p_within / 16 then
      v_window := least(v_window * 2, 10000);
    end if;
  end loop;
end;
$$;
