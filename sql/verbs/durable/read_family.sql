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
begin
  perform check_round(p_limit);
  if p_id is null or not exists (
    select from stored_task where id = p_id and row_id = any (rows_of(array[p_id]))) then
    perform refuse_unknown(p_id);
  end if;
  perform require_tasks('operate', array[p_id]);
  return query
    with recursive family as (
      select p_id as id, null::bigint as parent, null::text collate "C" as step, 0 as depth, false as is_detached,
             null::text as step_state
      union all
      select steps.child, steps.task, steps.name, family.depth + 1, steps.is_detached, steps.state
      from family
      join steps on steps.task = family.id and steps.kind = 'child' and steps.child is not null
      where not has_grants() or may_operate_child(steps.child)
    ), nearest as (
      select distinct on (each.id) each.* from (select * from family limit p_limit) as each
      order by each.id, each.depth
    )
    select near.id, near.parent, near.step, near.depth, near.is_detached,
           coalesce(found.state, case near.step_state when 'open' then 'cancelled' else near.step_state end),
           found.queue, found.handler, found.attempt, found.waits, found.run_at, found.created_at, found.started_at,
           found.finished_at
    from nearest as near
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
