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
  p_task bigint, p_queue text, p_key text, p_mode text, p_window interval, p_payload jsonb, p_handler text,
  p_priority integer, p_run_at timestamptz, p_deadline timestamptz, p_version integer, p_meta jsonb, p_kind text, p_by text, out outcome text, out left_groups text[]
)
  language plpgsql
as $$
#variable_conflict use_column
declare
  v_now  timestamptz := clock_timestamp();
  v_old  tasks;
  v_run  timestamptz := case when p_mode = 'debounce' then coalesce(p_run_at, v_now + p_window) else p_run_at end;
begin
  if p_mode in ('replace', 'debounce') then
    perform open_lanes(array[p_queue], array[p_priority]);
    select * into v_old from tasks where id = p_task and claim is null for no key update;
    if v_old.submitted_by <> p_by and not may_change(v_old.submitted_by, p_by) then
      perform refuse('TK013', format('key %s of queue %s is held by task %s, which %s submitted', p_key, p_queue, p_task, v_old.submitted_by),
                     format('Nothing was enqueued. Role %s may not replace a task of another role: use another key, enqueue with on_duplicate keep, or call as %s or as an operator.',
                            p_by, v_old.submitted_by));
    end if;
    -- What may be in a payload depends on the kind, and on who wrote it.
    if v_old.kind <> p_kind and 'sql' in (v_old.kind, p_kind) then
      perform refuse('TK004', format('key %s of queue %s is held by a task of kind %s', p_key, p_queue, v_old.kind),
                     format('A task of kind %s cannot take its place: use another key or queue.', p_kind));
    end if;
    update tasks
    set payload   = p_payload,
        submitted_by = case when kind = 'sql' then p_by else submitted_by end,
        handler   = coalesce(p_handler, handler),
        version   = coalesce(p_version, version),
        meta      = coalesce(p_meta, meta),
        priority  = coalesce(p_priority, priority),
        run_at    = coalesce(v_run, run_at),
        deadline  = coalesce(p_deadline, deadline),
        parked_on = null
    where id = p_task and claim is null;
    if found then
      outcome := case p_mode when 'replace' then 'replaced' else 'debounced' end;
      if v_old.parked_on is null and v_run > v_now then
        left_groups := v_old.groups;
      end if;
      return;
    end if;
  end if;

  outcome := case
    when p_mode = 'throttle'
      and exists (select from keys where queue = p_queue and key = p_key and task = p_task and until > v_now
                    and until < 'infinity')
      then 'throttled'
    else 'kept'
  end;
end;
$$;
