-- read_family() — a task and the tasks it started, and theirs, the nearest first
--
--   select * from read_family(42);
--
-- At most p_limit tasks. A child that is no longer kept is there by its id, with the state of its step. For
-- operators; children in queues that the caller may not operate are left out, with theirs.

create or replace function read_family(p_id bigint, p_limit integer default 1000)
  returns table (
    id bigint, parent bigint, step text, depth integer, is_detached boolean, state text, queue text, handler text,
    attempt integer, waits jsonb, run_at timestamptz, created_at timestamptz, started_at timestamptz,
    finished_at timestamptz
  )
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_ids     bigint[]  := array[p_id];
  v_parents bigint[]  := '{null}';
  v_names   text[]    := '{null}';
  v_depths  integer[] := '{0}';
  v_at      integer   := 0;
  v_step    record;
begin
  perform check_round(p_limit);
  if p_id is null or not exists (
    select from stored_task where id = p_id and row_id = any (rows_of(array[p_id]))) then
    perform refuse_unknown(p_id);
  end if;
  perform require_tasks('operate', array[p_id]);
  -- Breadth first. Keys can lead several parents to one child, and an ended child back to a parent: the
  -- first way to a task is shown, and counts once.
  <<members>>
  while v_at < cardinality(v_ids) loop
    v_at := v_at + 1;
    for v_step in
      select steps.child, steps.name from steps
      where steps.task = v_ids[v_at] and steps.kind = 'child' and steps.child is not null
        and (not has_grants() or may_operate_child(steps.child))
    loop
      exit members when cardinality(v_ids) >= p_limit;
      continue when v_step.child = any (v_ids);
      v_ids := v_ids || v_step.child;
      v_parents := v_parents || v_ids[v_at];
      v_names := v_names || v_step.name::text;
      v_depths := v_depths || v_depths[v_at] + 1;
    end loop;
  end loop;
  return query
    select near.id, near.parent, near.step, near.depth, coalesce(edge.is_detached, false),
           coalesce(found.state, case edge.state when 'open' then 'cancelled' else edge.state end),
           found.queue, found.handler, found.attempt, found.waits, found.run_at, found.created_at, found.started_at,
           found.finished_at
    from unnest(v_ids, v_parents, v_names, v_depths) as near (id, parent, step, depth)
    left join steps as edge on edge.task = near.parent and edge.name = near.step
    left join lateral (
      select * from stored_task as stored
      where stored.id = near.id and stored.row_id = any (rows_of(array[near.id]))
    ) as found on true
    order by near.depth, near.id;
end;
$$;

-- may_operate_child() — whether the caller may operate a task; yes of one that is no longer kept

create or replace function may_operate_child(p_id bigint)
  returns boolean
  language sql
  stable
as $$
  select coalesce((
    select may_use('operate', stored.queue, submitter()) from stored_task as stored
    where stored.id = p_id and stored.row_id = any (rows_of(array[p_id]))), true);
$$;
