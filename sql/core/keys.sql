-- Keys: one live task per queue and key.

-- take_keys() — takes the keys of new tasks, and tells which were to be had
--
-- Gives every task an id and an outcome: created, or taken when a live task (or an
-- earlier one of the same call) holds the key; none when all were created. In the order of the keys, so that
-- calls with the same keys queue up behind one another instead of deadlocking. `known`
-- has the holders of those that were seen to be taken before any was taken here.
--
-- In queues that keep keys (p_keeping) they are taken for ever, which is until their task is
-- forgotten: then nothing has to be written when it ends.

create or replace function take_keys(
  p_tasks new_task[], p_keeping text[], p_now timestamptz, out ids bigint[], out outcomes text[], out known bigint[]
)
  language plpgsql
as $$
#variable_conflict use_column
declare
  v_won bigint[];
  v_met record;
begin
  for v_met in
    select task.ordinality as place, task.queue, task.key
    from unnest(p_tasks) with ordinality as task
    where task.key is not null
      -- Not exists(): that would be planned as a join, which may begin with the keys.
      and (select true from keys where queue = task.queue and key = task.key)
    order by task.queue collate "C", task.key collate "C"
  loop
    known[v_met.place] := key_holder(v_met.queue, v_met.key, p_now);
  end loop;
  ids := array(select nextval('task_ids') from generate_subscripts(p_tasks, 1));
  with won as (
    insert into keys (queue, key, task, until)
    select task.queue, task.key, ids[task.ordinality],
           key_until(task.on_duplicate, task."window", task.queue = any (p_keeping), p_now)
    from unnest(p_tasks) with ordinality as task
    where task.key is not null
    order by task.queue collate "C", task.key collate "C", task.ordinality
    on conflict (queue, key) do nothing
    returning task
  )
  select array_agg(task) into v_won from won;
  outcomes := array(
    select case when task.key is null or ids[task.ordinality] = any (v_won) then 'created' else 'taken' end
    from unnest(p_tasks) with ordinality as task
    order by task.ordinality);
  if array_position(outcomes, 'taken') is null then
    outcomes := null;
  end if;
end;
$$;

-- key_until() — how long a key stays taken at least, whatever becomes of its task

create or replace function key_until(p_on_duplicate text, p_window interval, p_keeps boolean, p_now timestamptz)
  returns timestamptz
  language sql
  immutable
as $$
  select case
    when p_on_duplicate = 'throttle' then p_now + p_window
    when p_keeps then 'infinity'
    else '-infinity'
  end;
$$;

-- key_holder() — the task that holds a key; null when it is free
--
-- A key whose task has ended is held until its time is over; then it is removed.

create or replace function key_holder(p_queue text, p_key text, p_now timestamptz)
  returns bigint
  language plpgsql
as $$
declare
  v_held keys;
begin
  select * into v_held from keys where queue = p_queue and key = p_key;
  if not found then
    return null;
  end if;
  if v_held.until > p_now or exists (select from tasks where id = v_held.task) then
    return v_held.task;
  end if;
  -- Asked again: the very task may have been retried since.
  delete from keys
  where queue = p_queue and key = p_key and task = v_held.task and until <= p_now
    and not exists (select from tasks where id = keys.task);
  return null;
end;
$$;

-- free_keys() — gives back the keys of tasks that ended
--
-- A throttled key stays taken until its window is over; a queue that keeps keys
-- keeps them as long as it keeps the task. Nearly always that was known when they were
-- taken, and nothing has to be written (take_keys()). p_kept says of each task whether it is
-- kept; without it they were deleted, and no window counts. p_keeps says whether all of these queues
-- keep keys, or none does; null if the caller does not know.

create or replace function free_keys(
  p_ids    bigint[],
  p_queues text[],
  p_keys   text[],
  p_kept   boolean[],
  p_now    timestamptz,
  p_keeps  boolean default null
)
  returns void
  language plpgsql
as $$
declare
  v_keeping text[];
begin
  if p_keeps and true = any (p_kept) then
    v_keeping := p_queues;
  elsif p_keeps is null and true = any (p_kept) then
    select array_agg(name) into v_keeping from queues where keeps_keys and name = any (p_queues);
  end if;
  if v_keeping is not null then
    update keys
    set until = 'infinity'
    from unnest(p_ids, p_queues, p_keys, p_kept) as ended (id, queue, key, is_kept)
    where keys.queue = any (array[ended.queue]) and keys.key = ended.key and keys.task = ended.id
      and ended.is_kept and ended.queue = any (v_keeping) and keys.until < 'infinity';
    if cardinality(p_ids) = 1 then
      return;
    end if;
  end if;

  delete from keys
  using generate_subscripts(p_ids, 1) as i
  where keys.queue = any (array[p_queues[i]]) and keys.key = p_keys[i] and keys.task = p_ids[i]
    and (v_keeping is null or not p_kept[i] or p_queues[i] <> all (v_keeping))
    and (keys.until <= p_now or keys.until = 'infinity' or p_kept is null);
end;
$$;

-- retake_key() — gives a task that comes back its key again, if no other task has it
--
-- Whether the holder lives is asked by a statement of its own, with the key held:
-- the one that met the key may be too old to see the task that has just taken it.

create or replace function retake_key(p_task finished, p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_held keys;
begin
  loop
    insert into keys (queue, key, task) values (p_task.queue, p_task.key, p_task.id)
    on conflict (queue, key) do nothing;
    exit when found;
    select * into v_held from keys where queue = p_task.queue and key = p_task.key for no key update;
    continue when not found;

    if v_held.task <> p_task.id and (v_held.until > p_now or exists (select from tasks where id = v_held.task)) then
      perform refuse('TK006', format('the key %s of task %s is held by task %s', p_task.key, p_task.id, v_held.task),
                     'Wait until that task has ended, or cancel it first.');
    end if;
    update keys set task = p_task.id, until = default where queue = p_task.queue and key = p_task.key;
    exit;
  end loop;
end;
$$;

-- lock_free_keys() — holds the keys of tasks, without waiting; of p_wanted answers with those whose key it could hold
--
-- A task without a key, or that has given it back, needs none.

create or replace function lock_free_keys(p_queue text, p_ids bigint[], p_keys text[], p_wanted bigint[])
  returns bigint[]
  language plpgsql
as $$
declare
  v_held bigint[] := array(
    select task from keys where queue = p_queue and key = any (p_keys) order by key for update skip locked);
begin
  return array(
    select given.id
    from unnest(p_ids, p_keys) as given (id, key)
    where given.id = any (p_wanted)
      and (given.key is null or given.id = any (v_held)
           or not exists (select from keys where queue = p_queue and key = given.key and task = given.id)));
end;
$$;
