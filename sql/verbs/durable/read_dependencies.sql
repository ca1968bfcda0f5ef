-- read_dependencies() — a task, those that it comes after and those that come after it, and theirs, the nearest first
--
--   select * from read_dependencies(42);
--
-- Of tasks that were enqueued with p_after. A dependency is there until the task that it waits for has ended. `after`
-- has the tasks of the answer that a task still waits for. At most p_limit tasks. For operators; tasks in queues that
-- the caller may not operate are left out, with theirs.

create or replace function read_dependencies(p_id bigint, p_limit integer default 1000)
  returns table (
    id bigint, after bigint[], depth integer, state text, queue text, handler text, attempt integer, waits jsonb,
    run_at timestamptz, created_at timestamptz, started_at timestamptz, finished_at timestamptz
  )
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_by     text      := submitter();
  v_all    boolean   := not has_grants();
  v_ids    bigint[]  := array[p_id];
  v_depths integer[] := '{0}';
  v_at     integer   := 0;
  v_near   bigint;
begin
  perform check_round(p_limit);
  if p_id is null or not exists (
    select from stored_task where id = p_id and row_id = any (rows_of(array[p_id]))) then
    perform refuse_unknown(p_id);
  end if;
  perform require_tasks('operate', array[p_id]);
  -- Both ends of a dependency are tasks that live, each in a row of its own.
  <<tasks_around>>
  while v_at < cardinality(v_ids) loop
    v_at := v_at + 1;
    for v_near in
      select tasks.id
      from (
        select awaited as id from awaits where waiter = v_ids[v_at] and name is null
        union
        select waiter from awaits where awaited = v_ids[v_at] and name is null
      ) as around
      join tasks on tasks.id = around.id
      where v_all or may_use('operate', tasks.queue, v_by)
      order by tasks.id
    loop
      exit tasks_around when cardinality(v_ids) >= p_limit;
      continue when v_near = any (v_ids);
      v_ids := v_ids || v_near;
      v_depths := v_depths || v_depths[v_at] + 1;
    end loop;
  end loop;
  return query
    select near.id,
           array(select awaited from awaits where waiter = near.id and name is null and awaited = any (v_ids)
                 order by awaited),
           near.depth, found.state, found.queue, found.handler, found.attempt, found.waits, found.run_at,
           found.created_at, found.started_at, found.finished_at
    from unnest(v_ids, v_depths) as near (id, depth)
    join lateral (
      select * from stored_task as stored
      where stored.id = near.id and stored.row_id = any (rows_of(array[near.id]))
    ) as found on true
    order by near.depth, near.id;
end;
$$;
