-- Families: tasks that a task started.

-- find_children() — the live children of tasks, and theirs, but for those that were started detached

create or replace function find_children(p_ids bigint[])
  returns bigint[]
  language plpgsql
  stable
as $$
begin
  if not exists (select from steps) then
    return '{}';
  end if;
  return array(
    with recursive family as (
      select child as id from steps
      where task = any (p_ids) and kind = 'child' and state = 'open' and not is_detached
      union
      select steps.child from family
      join steps on steps.task = any (array[family.id]) and steps.kind = 'child' and steps.state = 'open'
        and not steps.is_detached
    )
    select id from family where id is not null);
end;
$$;

-- spawn_depth() — how many spawns led to a task, for its next child; refuses what is too deep

create or replace function spawn_depth(p_task tasks)
  returns integer
  language plpgsql
as $$
declare
  v_depth integer := 1 + coalesce(
    (select depth from steps where task = p_task.parent and kind = 'child' and child = p_task.id), 0);
begin
  if v_depth > bound('depth') then
    perform refuse('TK004', format('task %s is the child of %s tasks, one spawned by the other', p_task.id,
                                   v_depth - 1),
                   format('Spawns may be nested %s deep. Start the next task detached, with enqueue().',
                          bound('depth')));
  end if;
  return v_depth;
end;
$$;

-- settle_ended_child() — the step of a child that had ended when its key led to it

create or replace function settle_ended_child(p_parent bigint, p_child bigint)
  returns void
  language sql
as $$
  update steps
  set state       = case when finished.state = 'done' then 'done' else 'failed' end,
      finished_at = finished.finished_at,
      output      = finished.output,
      error       = case when finished.state <> 'done' then jsonb_build_object(
                      'task', finished.id, 'state', finished.state, 'error', finished.error) end
  from finished
  where steps.task = p_parent and steps.kind = 'child' and steps.child = p_child and finished.id = p_child;
$$;

-- reopen_child() — a child comes back: its parent, if it lives, waits for it again; for retry()

create or replace function reopen_child(p_child bigint, p_parent bigint)
  returns boolean
  language plpgsql
as $$
declare
  v_name text;
begin
  if p_parent is null or not exists (select from tasks where id = p_parent) then
    return false;
  end if;
  update steps set state = 'open', finished_at = null, output = null, error = null
  where task = p_parent and kind = 'child' and child = p_child and state <> 'open'
  returning name into v_name;
  if not found then
    return false;
  end if;
  insert into awaits (awaited, waiter, name) values (p_child, p_parent, v_name);
  update tasks
  set waits = jsonb_set(waits, '{joins}', (
        select jsonb_agg(case when value -> 'children' ? v_name
                         then value || jsonb_build_object('left', (value ->> 'left')::integer + 1) else value end)
        from jsonb_array_elements(waits -> 'joins')))
  where id = p_parent and claim is null and jsonb_typeof(waits -> 'joins') = 'array';
  return true;
end;
$$;
