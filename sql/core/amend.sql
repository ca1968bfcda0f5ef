-- What may be changed of a task, and how.

-- amendable_properties() — the names of what amend() can change

create or replace function amendable_properties()
  returns text[]
  language sql
  immutable
as $$
  select '{payload,meta,parent,retention,run_at,deadline,priority,version,groups,max_running,tags,timeout,max_attempts,'
         'backoff}'::text[];
$$;

-- apply_changes_to_task() — a task with these changes made, or a refusal that says which cannot be

create or replace function apply_changes_to_task(p_task tasks, p_changes jsonb, p_now timestamptz)
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
  v_fault := coalesce(v_fault, task_fault(row(
    v_new.queue, v_new.payload, v_new.handler, v_new.kind, v_new.priority,
    -- A task that waits has no time of its own.
    case when p_task.waits is null then v_new.run_at end, v_new.key, null, null,
    v_new.frees_key,
    -- A task of a schedule may keep the schedule's group, which it could not be given here.
    case when v_new.groups is distinct from p_task.groups then v_new.groups end,
    v_new.max_running, v_new.tags, v_new.version, v_new.max_attempts, v_new.backoff, v_new.timeout, v_new.deadline,
    v_new.retention, v_new.parent, v_new.meta, null, null)::new_task, p_now));
  if v_fault is not null then
    perform refuse('TK004', format('invalid change of task %s: %s', p_task.id, v_fault), 'Nothing was changed.');
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

-- keep_former_payload() — keeps what the latest attempt of a task ran with, before its payload is replaced

create or replace function keep_former_payload(p_id bigint, p_old jsonb, p_new jsonb)
  returns void
  language sql
as $$
  update attempts
  set payload = p_old
  where p_old is distinct from p_new and task = p_id and payload is null
    and ended_at = (select max(ended_at) from attempts where task = p_id);
$$;

-- discard_output() — done, without what it was completed with; for dialects that show a payload in its place

create or replace function discard_output(p_id bigint)
  returns void
  language sql
as $$
  update finished set output = null where id = p_id and output is not null;
$$;
