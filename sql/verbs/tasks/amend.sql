-- amend(): queued | running | done | failed | cancelled, changed
--
--   select amend(42, '{"priority": 5, "run_at": "2030-01-01 09:00+00"}');
--
-- Of a task that waits, everything but its queue, kind, handler and key may be
-- changed; null puts the default back. It loses its place in line if that depends
-- on what was changed. A task that runs keeps what its run was started with: there
-- only what comes after the run can be changed. One that has ended stays ended; what was
-- changed is what retry() would begin with. SQL runs in the name of the role that wrote it.

create or replace function amend(p_id bigint, p_changes jsonb)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('task', p_id::text);
  c_later constant text[] := '{payload,meta,parent,retention}';
  v_now   timestamptz := clock_timestamp();
  v_old   tasks;
  v_new   tasks;
  v_moves boolean;
  -- What a task carries is not for the audit, only that it was changed.
  v_more  jsonb := (select jsonb_object_agg(name, 'changed') from unnest('{payload,meta}'::text[]) as name
                    where p_changes ? name);
begin
  perform require_tasks('operate', array[p_id]);
  perform split_packs(array[p_id]);
  perform check_settings(p_changes, amendable_properties());
  loop
    select * into v_old from tasks where id = p_id for no key update;
    exit when found;
    if amend_finished(p_id, p_changes, v_now) then
      perform audit_change('amend', 'task', p_id::text, v_before, v_more);
      return;
    end if;
    -- It may have been retried between the two looks.
    if not exists (select from tasks where id = p_id) then
      perform refuse_unknown(p_id);
    end if;
  end loop;
  if v_old.claim is not null and p_changes - c_later <> '{}' then
    perform refuse('TK003', format('task %s is running: its %s cannot be changed', p_id,
                                   (select min(name) from jsonb_object_keys(p_changes - c_later) as name)),
                   format('While a task runs you can change %s.', array_to_string(c_later, ', ')));
  end if;

  if v_old.waits is not null and p_changes ? 'run_at' then
    perform refuse('TK003', format('task %s is waiting: its run_at cannot be changed', p_id),
                   'It runs when what it waits for has happened. Send the signal, or cancel and retry the task.');
  end if;

  v_old.payload := take_payload(p_id, v_old.payload);
  v_new := apply_changes_to_task(v_old, p_changes, v_now);
  v_moves := (v_new.run_at, v_new.priority, v_new.groups, v_new.max_running)
    is distinct from (v_old.run_at, v_old.priority, v_old.groups, v_old.max_running);
  update tasks
  set run_at       = v_new.run_at,
      deadline     = v_new.deadline,
      parent       = v_new.parent,
      priority     = v_new.priority,
      version      = v_new.version,
      max_attempts = v_new.max_attempts,
      max_running  = v_new.max_running,
      timeout      = v_new.timeout,
      retention    = v_new.retention,
      submitted_by = v_new.submitted_by,
      groups       = v_new.groups,
      turn         = case when turn is not null then coalesce(v_new.groups[1], '') end,
      parked_on    = case when not v_moves then parked_on end,
      tags         = v_new.tags,
      backoff      = v_new.backoff,
      meta         = v_new.meta,
      payload      = v_new.payload
  where id = p_id;
  perform keep_former_payload(p_id, v_old.payload, v_new.payload);
  perform record_events('amend', array[p_id], array[v_new.queue]);

  if v_moves then
    perform open_lanes(array[v_new.queue], array[v_new.priority]);
    -- Others may have stood behind it.
    if v_old.groups is not null and v_old.parked_on is null
       and (v_new.run_at > v_now or v_new.groups is distinct from v_old.groups) then
      perform free_groups(v_old.groups, array_fill(0, array[cardinality(v_old.groups)]), v_now);
    end if;
    perform wake_workers(array[v_new.queue], v_new.run_at);
  end if;
  perform audit_change('amend', 'task', p_id::text, v_before, v_more);
end;
$$;

-- amend_finished() — done | failed | cancelled, changed: what retry() would begin with
--
-- For amend(). Its deadline may be over, and is judged only when it is given anew. False when
-- it has not ended.

create or replace function amend_finished(p_id bigint, p_changes jsonb, p_now timestamptz)
  returns boolean
  language plpgsql
as $$
declare
  v_old  finished;
  v_task tasks;
  v_new  tasks;
begin
  select * into v_old from finished where id = p_id for update;
  if not found then
    return false;
  end if;
  v_old.payload := take_payload(p_id, v_old.payload);
  v_task := jsonb_populate_record(null::tasks, to_jsonb(v_old) - 'deadline');
  v_new := apply_changes_to_task(v_task, p_changes, p_now);
  update finished
  set run_at       = v_new.run_at,
      deadline     = case when p_changes ? 'deadline' then v_new.deadline else deadline end,
      parent       = v_new.parent,
      priority     = v_new.priority,
      version      = v_new.version,
      max_attempts = v_new.max_attempts,
      max_running  = v_new.max_running,
      timeout      = v_new.timeout,
      retention    = v_new.retention,
      submitted_by = v_new.submitted_by,
      groups       = v_new.groups,
      tags         = v_new.tags,
      backoff      = v_new.backoff,
      meta         = v_new.meta,
      payload      = v_new.payload
  where id = p_id;
  perform keep_former_payload(p_id, v_old.payload, v_new.payload);
  perform record_events('amend', array[p_id], array[v_old.queue]);
  return true;
end;
$$;
