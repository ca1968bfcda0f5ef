-- What the end of a task means for those that wait for it: its parent, and tasks that come after it.

-- settle_awaited() — tells those who wait for tasks that ended; for end_tasks()
--
-- p_state is that of end_tasks(): null for tasks that were deleted. A task that comes after one that
-- did not succeed may end with it, and so on. That goes round by round, not by recursion, for a
-- line of tasks may be long.

create or replace function settle_awaited(p_ids bigint[], p_state text, p_outputs jsonb[], p_errors jsonb[])
  returns void
  language plpgsql
as $$
declare
  v_ids     bigint[] := p_ids;
  v_done    boolean := coalesce(p_state = 'done', false);
  v_results record;
  v_failed  bigint[] := '{}';
  v_skipped bigint[] := '{}';
begin
  loop
    v_results := tell_waiters(v_ids, v_done, p_state, p_outputs, p_errors);
    v_failed := v_failed || v_results.failed;
    v_skipped := v_skipped || v_results.skipped;
    v_done := false;
    p_outputs := null;
    p_errors := null;
    if v_failed <> '{}' then
      p_state := 'failed';
      v_ids := end_quietly(v_failed, 'fail');
      v_failed := '{}';
    elsif v_skipped <> '{}' then
      p_state := 'cancelled';
      v_ids := end_quietly(v_skipped, 'skip');
      v_skipped := '{}';
    else
      exit;
    end if;
  end loop;
end;
$$;

-- tell_waiters() — one round of settle_awaited(): wakes tasks, and names those that are to end

create or replace function tell_waiters(
  p_ids bigint[], p_succeeded boolean, p_state text, p_outputs jsonb[], p_errors jsonb[],
  out failed bigint[], out skipped bigint[]
)
  language plpgsql
as $$
declare
  v_now    timestamptz := clock_timestamp();
  v_told   record;
  v_each   record;
  v_locked record;
  v_result text;
  v_woken  bigint[] := '{}';
begin
  failed := '{}';
  skipped := '{}';
  with gone as (
    delete from awaits where awaited = any (p_ids) returning awaited, waiter, name
  ), told as (
    update steps
    set state       = case when p_succeeded then 'done' else 'failed' end,
        finished_at = v_now,
        output      = p_outputs[array_position(p_ids, gone.awaited)],
        error       = case when not p_succeeded then jsonb_build_object(
                        'task', gone.awaited, 'state', coalesce(p_state, 'deleted'),
                        'error', p_errors[array_position(p_ids, gone.awaited)]) end
    from gone
    where steps.task = gone.waiter and steps.name = gone.name
  )
  select array_agg(waiter) as waiters, array_agg(name) as names into v_told from gone;

  for v_each in
    select each.waiter, count(*) filter (where each.name is null)::integer as n,
           array_agg(each.name) filter (where each.name is not null) as names
    from unnest(v_told.waiters, v_told.names) as each (waiter, name)
    group by each.waiter
    order by each.waiter
  loop
    v_locked := lock_waiter(v_each.waiter);
    if v_locked.is_held then
      insert into wake_notes (task, has_failed) values (v_each.waiter, not p_succeeded and v_each.n > 0);
      continue;
    end if;
    v_result := apply_ends(v_locked.task, v_each.n, v_each.names, p_succeeded);
    if v_result = 'wake' then
      v_woken := v_woken || v_each.waiter;
    elsif v_result = 'fail' then
      failed := failed || v_each.waiter;
    elsif v_result = 'skip' then
      skipped := skipped || v_each.waiter;
    end if;
  end loop;
  if v_woken <> '{}' then
    perform wake_tasks(v_woken);
  end if;
end;
$$;

-- end_quietly() — waiting → failed | cancelled, because a task it comes after did not succeed
--
-- Answers with those of them that are awaited themselves: the caller notifies their waiters.

create or replace function end_quietly(p_ids bigint[], p_how text)
  returns bigint[]
  language plpgsql
as $$
declare
  c_error   constant jsonb :=
    '{"code": "dependency", "message": "a task that it comes after did not succeed"}';
  v_awaited bigint[];
begin
  with kept as (
    select id, is_awaited from tasks where id = any (p_ids) and claim is null and waits is not null
    order by id for no key update
  ), quiet as (
    update tasks set is_awaited = null from kept where tasks.id = any (array[kept.id]) and kept.is_awaited
  )
  select array_agg(id), coalesce(array_agg(id) filter (where is_awaited), '{}') into p_ids, v_awaited from kept;
  if p_ids is null then
    return '{}';
  end if;
  insert into failures (at, queue, task, reason, code, message)
  select clock_timestamp(), queue, id, 'dependency', error_code(c_error), error_message(c_error)
  from tasks where id = any (p_ids) and p_how = 'fail';
  perform end_tasks(
    p_ids, array_fill(null::bigint, array[cardinality(p_ids)]),
    case p_how when 'fail' then 'failed' else 'cancelled' end,
    array_fill('dependency'::text, array[cardinality(p_ids)]), null, array_fill(c_error, array[cardinality(p_ids)]));
  return v_awaited;
end;
$$;

-- end_dependents() — the same, and tells those who wait for them

create or replace function end_dependents(p_ids bigint[], p_how text)
  returns void
  language plpgsql
as $$
declare
  v_awaited bigint[] := end_quietly(p_ids, p_how);
begin
  if v_awaited <> '{}' then
    perform settle_awaited(v_awaited, case p_how when 'fail' then 'failed' else 'cancelled' end, null, null);
  end if;
end;
$$;

-- store_after() — makes new tasks wait for those they come after; for store_tasks()
--
-- The tasks are stored and not committed. Those they come after are locked only now: one that ends
-- meanwhile is either seen here as ended, or sees the new row of awaits. Ids can be guessed, so a task
-- could name itself or another of the same call: that would be a cycle.

create or replace function store_after(p_tasks new_task[], p_ids bigint[], p_outcomes text[])
  returns void
  language plpgsql
as $$
declare
  v_new   bigint[] := array(
    select id from unnest(p_ids, p_outcomes) as stored (id, outcome) where coalesce(outcome, 'created') = 'created');
  v_after bigint[];
  v_ended record;
  v_how   text;
begin
  for v_place in 1 .. cardinality(p_tasks) loop
    continue when (p_tasks[v_place]).after is null or coalesce(p_outcomes[v_place], 'created') <> 'created';
    v_after := array(select distinct id from unnest((p_tasks[v_place]).after) as given (id) order by id);
    if v_after && v_new then
      perform refuse_task(
        'TK004', v_place,
        format('%s comes after a task that is enqueued by the same call',
               place_in_bulk(v_place, cardinality(p_tasks))),
        'Nothing was enqueued. Enqueue that task first, or use enqueue_batch(): so no task can wait for itself.');
    end if;
    perform require_tasks('enqueue', v_after);
    v_ended := await_tasks(v_after, p_ids[v_place], null);
    v_how := coalesce((p_tasks[v_place]).after_failure, 'fail');
    if v_ended.unknown is not null then
      perform refuse_task(
        'TK002', v_place,
        format('%s comes after task %s, which does not exist',
               place_in_bulk(v_place, cardinality(p_tasks)), v_ended.unknown),
        'Nothing was enqueued. It never existed, its transaction has not committed, or its retention is over.');
    end if;
    if v_ended.live > 0 or (v_ended.has_failed and v_how <> 'run') then
      update tasks
      set waits  = jsonb_build_object('since', created_at, 'after', jsonb_build_object(
                     'left', v_ended.live, 'on_failure', v_how, 'run_at', run_at)),
          run_at = never()
      where id = p_ids[v_place];
    end if;
    if v_ended.has_failed and v_how <> 'run' then
      perform end_dependents(array[p_ids[v_place]], v_how);
    end if;
  end loop;
end;
$$;

-- await_tasks() — one task waits for others: notes it, marks those that are live, and tells of the others

create or replace function await_tasks(
  p_awaited bigint[], p_waiter bigint, p_names text[],
  out live integer, out has_failed boolean, out unknown bigint, out ended bigint[]
)
  language plpgsql
as $$
declare
  v_live bigint[];
begin
  perform split_packs(p_awaited);
  insert into awaits (awaited, waiter, name)
  select given.id, p_waiter, given.name from unnest(p_awaited, p_names) as given (id, name);
  perform from tasks where id = any (p_awaited) order by id for no key update;
  with marked as (
    update tasks set is_awaited = true where id = any (p_awaited) returning id
  )
  select coalesce(array_agg(id), '{}') into v_live from marked;
  live := cardinality(v_live);
  ended := array(select id from unnest(p_awaited) as given (id) where id <> all (v_live));
  if ended <> '{}' then
    delete from awaits where waiter = p_waiter and awaited = any (ended);
    select min(given.id) into unknown from unnest(ended) as given (id)
    where not exists (select from finished where finished.id = given.id);
  end if;
  has_failed := exists (select from finished where id = any (ended) and state <> 'done');
end;
$$;
