-- amended() — a task with these changes made, or a refusal that says which cannot be

create or replace function amended(p_task tasks, p_changes jsonb, p_now timestamptz)
  returns tasks
  language plpgsql
as $$
declare
  v_new   tasks;
  v_fault text;
begin
  begin
    v_new := jsonb_populate_record(p_task, p_changes);
  exception when data_exception then
    v_fault := sqlerrm;
  end;
  v_new.run_at := coalesce(v_new.run_at, p_now);
  v_new.priority := coalesce(v_new.priority, 0);
  v_new.version := coalesce(v_new.version, 1);
  v_new.payload := coalesce(v_new.payload, p_task.payload);
  v_fault := coalesce(
    v_fault,
    task_fault(
      v_new.queue, v_new.payload, v_new.kind, v_new.handler, v_new.priority, v_new.version, v_new.run_at, v_new.deadline,
      v_new.key, null, null, v_new.max_attempts, v_new.max_running, v_new.timeout, v_new.retention, p_now),
    -- A task of a schedule may keep the schedule's group, which it could not be given here.
    case when v_new.groups is distinct from p_task.groups then group_fault(v_new.groups) end,
    tags_fault(v_new.tags),
    case when v_new.backoff is not null then backoff_fault(v_new.backoff) end);
  if v_fault is not null then
    perform refuse('TK004', format('task %s cannot be amended so: %s', p_task.id, v_fault), 'Nothing was changed.');
  end if;
  perform check_size('meta', 'the meta of the task', v_new.meta);
  if v_new.groups is distinct from p_task.groups and has_grants() then
    perform require_groups('enqueue', v_new.groups);
  end if;
  if v_new.payload is distinct from p_task.payload then
    perform check_payloads(array[v_new.queue], array[v_new.payload]);
    if v_new.kind = 'sql' then
      v_new.payload := check_sql(v_new.payload, submitter());
      v_new.submitted_by := submitter();
    end if;
  end if;
  return v_new;
end;
$$;
