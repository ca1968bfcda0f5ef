-- spawn(): → queued, as children of a running task
--
--   select * from spawn(42, 7, '{pack,label}', '[{"queue": "pack"}, {"queue": "label"}]');
--
-- For the holder of the claim; one name per child. A name that was spawned before gives the child it
-- had: a task that runs again starts none twice. A child is cancelled with its parent unless it is
-- detached. Wait for children with suspend().

create or replace function spawn(
  p_id bigint, p_claim bigint, p_names text[], p_tasks jsonb, p_detached boolean[] default null
)
  returns table (name text, child bigint)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_task  tasks;
  v_known steps;
  v_new   integer[];
  v_tasks new_task[];
  v_ids   bigint[];
  v_names text[];
  v_depth integer;
  v_ended record;
  v_child bigint;
begin
  if not is_list(p_names) or jsonb_typeof(p_tasks) is distinct from 'array'
     or cardinality(p_names) is distinct from jsonb_array_length(p_tasks)
     or cardinality(p_names) <> (select count(distinct each) from unnest(p_names) as each) then
    perform refuse('TK004', 'each child needs a task and a name of its own',
                   'Give p_names and p_tasks with the same number of elements.');
  end if;
  perform check_list('p_detached', p_detached);
  perform check_steps(p_names, null);
  v_task := hold_task(p_id, p_claim);
  for v_known in select step.* from steps as step where step.task = p_id and step.name = any (p_names) loop
    if v_known.kind <> 'child' then
      perform refuse_other_kind(p_id, v_known, 'child');
    end if;
  end loop;
  v_new := array(
    select i from generate_subscripts(p_names, 1) as i
    where not exists (select from steps as step where step.task = p_id and step.name = p_names[i]) order by i);
  if v_new <> '{}' then
    v_names := array(select p_names[i] from unnest(v_new) as i);
    v_tasks := read_tasks((select jsonb_agg(p_tasks -> (i - 1) order by i) from unnest(v_new) as i));
    for i in 1 .. cardinality(v_tasks) loop
      if (v_tasks[i]).after is not null then
        perform refuse('TK004', format('child %L cannot come after other tasks', v_names[i]),
                       'A parent that waited for it could wait for ever. Join first, then spawn.');
      end if;
      v_tasks[i].parent := p_id;
    end loop;
    v_depth := spawn_depth(v_task);
    select stored.ids into v_ids from store_tasks(v_tasks) as stored;
    insert into steps (task, name, kind, state, child, depth, is_detached, started_at)
    select p_id, v_names[i], 'child', 'open', v_ids[i], v_depth, coalesce(p_detached[v_new[i]], false),
           clock_timestamp()
    from generate_subscripts(v_ids, 1) as i order by i;
    v_ended := await_tasks(v_ids, p_id, v_names);
    if is_awaited_by(p_id, v_ids) then
      perform refuse('TK004', format('task %s would wait for itself: a child that it spawns waits for its end', p_id),
                     'The key of the child leads to a task that waits for this one. Give the child another key.');
    end if;
    foreach v_child in array v_ended.ended loop
      perform settle_ended_child(p_id, v_child);
    end loop;
  end if;
  return query
    select given.name, step.child
    from unnest(p_names) with ordinality as given (name, place)
    join steps as step on step.task = p_id and step.name = given.name
    order by given.place;
end;
$$;

-- is_awaited_by() — whether one of these tasks waits for a task, directly or through others
--
-- Only a child that was there before, found by its key, can wait for anything. Called when awaits has the
-- new rows and the children are locked: of two tasks that spawn each other, the second sees the first.

create or replace function is_awaited_by(p_id bigint, p_waiters bigint[])
  returns boolean
  language sql
as $$
  with recursive line as (
    select awaited from awaits where waiter = any (p_waiters)
    union
    select awaits.awaited from line join awaits on awaits.waiter = line.awaited
  )
  select exists (select from line where awaited = p_id);
$$;
