-- What a task does whose key is taken: kept, replaced, debounced or throttled.

-- resolve_duplicates() — what becomes of the tasks of a call whose keys are taken
--
-- In the order of locks: keys, then tasks by id, then groups. A bulk does not go back for a
-- key that becomes free meanwhile, for it holds others: the task that ended was there when
-- the call came (p_known), and is named.

create or replace function resolve_duplicates(
  p_tasks new_task[], p_ids bigint[], p_outcomes text[], p_known bigint[], p_by text, p_now timestamptz,
  out ids bigint[], out outcomes text[]
)
  language plpgsql
as $$
#variable_conflict use_column
declare
  v_place  integer;
  v_answer record;
  v_left   text[] := '{}';
begin
  ids := p_ids;
  outcomes := p_outcomes;
  for v_place in
    select task.ordinality
    from unnest(p_tasks) with ordinality as task
    where p_outcomes[task.ordinality] = 'taken'
    order by task.queue collate "C", task.key collate "C", task.ordinality
  loop
    ids[v_place] := coalesce(
      key_holder((p_tasks[v_place]).queue, (p_tasks[v_place]).key, p_now), p_known[v_place]);
    if ids[v_place] is null then
      -- The key was freed after all: its task came and ended meanwhile. Begin again for this one.
      v_answer := store_tasks(p_tasks[v_place:v_place], true, p_by);
      ids[v_place] := v_answer.ids[1];
      outcomes[v_place] := coalesce(v_answer.outcomes[1], 'created');
    end if;
  end loop;
  perform from tasks
  where id = any (array(
    select ids[task.ordinality]
    from unnest(p_tasks) with ordinality as task
    where outcomes[task.ordinality] = 'taken' and task.on_duplicate in ('replace', 'debounce')
  ))
  order by id
  for no key update;
  for v_place in
    select place from generate_subscripts(outcomes, 1) as place where outcomes[place] = 'taken' order by place
  loop
    v_answer := enqueue_duplicate(ids[v_place], p_tasks[v_place], p_by);
    outcomes[v_place] := v_answer.outcome;
    v_left := v_left || v_answer.left_groups;
  end loop;
  if v_left <> '{}' then
    perform free_groups(v_left, array_fill(0, array[cardinality(v_left)]), p_now);
  end if;
end;
$$;

-- enqueue_duplicate() — what becomes of a task whose key is taken
--
--   keep      the task there stays as it is                       → kept
--   replace   its payload, and the handler, version, meta, priority,
--             run_at and deadline that were given, are replaced   → replaced
--   debounce  likewise, and it waits another window               → debounced
--   throttle  nothing more within the window of the first         → throttled
--
-- A task that runs already, or has just ended, cannot be changed: kept. The key is
-- not locked, so the worker that ends the task never waits. A task put off to later
-- leaves its place in line; left_groups says where others may move up.
--
-- replace and debounce change a task, so they need what changing it needs: the caller
-- submitted it, or is a member of the role that did, or may amend().

create or replace function enqueue_duplicate(
  p_holder bigint, p_task new_task, p_by text, out outcome text, out left_groups text[]
)
  language plpgsql
as $$
#variable_conflict use_column
declare
  v_now  timestamptz := clock_timestamp();
  v_mode text := coalesce(p_task.on_duplicate, 'keep');
  v_kind text := coalesce(p_task.kind, 'handler');
  v_old  tasks;
  v_run  timestamptz := case when v_mode = 'debounce' then coalesce(p_task.run_at, v_now + p_task."window")
                             else p_task.run_at end;
begin
  if v_mode in ('replace', 'debounce') then
    perform open_lanes(array[p_task.queue], array[p_task.priority]);
    select * into v_old from tasks where id = p_holder and claim is null and waits is null for no key update;
    if v_old.submitted_by <> p_by and not may_change_task(v_old.submitted_by, p_by) then
      perform refuse('TK013', format('key %s of queue %s is held by task %s, which %s submitted', p_task.key,
                                     p_task.queue, p_holder, v_old.submitted_by),
                     format('Nothing was enqueued. Role %s may not replace a task of another role: use another key, '
                            'enqueue with on_duplicate keep, or call as %s or as an operator.',
                            p_by, v_old.submitted_by));
    end if;
    -- What may be in a payload depends on the kind, and on who wrote it.
    if v_old.kind <> v_kind and 'sql' in (v_old.kind, v_kind) then
      perform refuse('TK004',
                     format('key %s of queue %s is held by a task of kind %s', p_task.key, p_task.queue, v_old.kind),
                     format('A task of kind %s cannot take its place: use another key or queue.', v_kind));
    end if;
    delete from payloads where task = p_holder;
    update tasks
    set payload   = p_task.payload,
        submitted_by = case when kind = 'sql' then p_by else submitted_by end,
        handler   = coalesce(p_task.handler, handler),
        version   = coalesce(p_task.version, version),
        meta      = coalesce(p_task.meta, meta),
        priority  = coalesce(p_task.priority, priority),
        run_at    = coalesce(v_run, run_at),
        deadline  = coalesce(p_task.deadline, deadline),
        parked_on = null
    where id = p_holder and claim is null and waits is null;
    if found then
      outcome := case v_mode when 'replace' then 'replaced' else 'debounced' end;
      if v_old.parked_on is null and v_run > v_now then
        left_groups := v_old.groups;
      end if;
      return;
    end if;
  end if;

  outcome := case
    when v_mode = 'throttle'
      and exists (select from keys where queue = p_task.queue and key = p_task.key and task = p_holder and until > v_now
                    and until < 'infinity')
      then 'throttled'
    else 'kept'
  end;
end;
$$;

-- may_change_task() — whether a role may change tasks that another role submitted
--
-- A member of that role acts for it; an operator may amend() any task. A role that was
-- dropped since has no members.

create or replace function may_change_task(p_submitted_by text, p_by text)
  returns boolean
  language sql
  stable
as $$
  select is_member_of(p_by, array[p_submitted_by])
    or has_function_privilege(p_by, 'amend(bigint, jsonb)', 'execute');
$$;
