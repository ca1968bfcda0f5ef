-- enqueue_duplicate() — what becomes of a task whose key is taken
--
--   keep      the task there stays as it is                       → kept
--   replace   its payload, and what else was given, is replaced   → replaced
--   debounce  likewise, and it waits another window               → debounced
--   throttle  nothing more within the window of the first         → throttled
--
-- A task that runs already cannot be changed: kept. The update waits at most for a
-- claim, and holds no lock on the key, so it never holds up the worker that ends
-- the task. No id comes back when the key turned out to be free. A task put off to
-- later leaves its place in line; left_groups says where others may move up.

create or replace function enqueue_duplicate(
  p_queue text, p_key text, p_mode text, p_window interval, p_payload jsonb, p_handler text, p_priority integer,
  p_run_at timestamptz, p_version integer, p_meta jsonb, out id bigint, out outcome text,
  out left_groups text[]
)
  language plpgsql
as $$
#variable_conflict use_column
declare
  v_now  timestamptz := clock_timestamp();
  v_held keys;
  v_old  tasks;
  v_run  timestamptz := case when p_mode = 'debounce' then coalesce(p_run_at, v_now + p_window) else p_run_at end;
begin
  select * into v_held from keys where queue = p_queue and key = p_key;
  if not found then
    return;
  end if;

  if p_mode in ('replace', 'debounce') then
    perform open_lanes(array[p_queue], array[p_priority]);
    select * into v_old from tasks where id = v_held.task and claim is null for no key update;
    update tasks
    set payload   = p_payload,
        handler   = coalesce(p_handler, handler),
        version   = coalesce(p_version, version),
        meta      = coalesce(p_meta, meta),
        priority  = coalesce(p_priority, priority),
        run_at    = coalesce(v_run, run_at),
        parked_on = null
    where id = v_held.task and claim is null;
    if found then
      id := v_held.task;
      outcome := case p_mode when 'replace' then 'replaced' else 'debounced' end;
      if v_old.parked_on is null and v_run > v_now then
        left_groups := v_old.groups;
      end if;
      return;
    end if;
  end if;

  if p_mode = 'throttle' and v_held.until > v_now then
    id := v_held.task;
    outcome := 'throttled';
  elsif v_held.until > v_now or exists (select from tasks where id = v_held.task) then
    id := v_held.task;
    outcome := 'kept';
  else
    delete from keys where queue = p_queue and key = p_key and task = v_held.task;
  end if;
end;
$$;
