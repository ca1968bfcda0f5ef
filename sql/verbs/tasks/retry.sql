-- retry(): done | failed | cancelled → queued
--
-- The task comes back under its own id with all its attempts, now or at p_run_at,
-- with its old payload or a corrected one, and without its deadline, which may be over.
-- Refused while another task holds its key.
--
-- A task that failed or was cancelled keeps the steps it had done; one that was done begins anew.
-- With p_from that step and all after it are forgotten.

create or replace function retry(
  p_id bigint, p_run_at timestamptz default null, p_payload jsonb default null, p_from text default null
)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('task', p_id::text);
  v_now  timestamptz := clock_timestamp();
  v_task finished;
  v_is_child boolean;
begin
  perform require_tasks('operate', array[p_id]);
  perform split_packs(array[p_id]);
  delete from finished where id = p_id returning * into v_task;
  perform require_state(p_id, found, 'retried', 'done, failed or cancelled');
  perform check_run_at(coalesce(p_run_at, v_now));
  v_task.payload := take_payload(p_id, v_task.payload);
  perform check_payloads(array[v_task.queue], array[coalesce(p_payload, v_task.payload)]);
  if v_task.kind = 'sql' and p_payload is not null then
    -- SQL runs in the name of the role that wrote it.
    p_payload := check_sql(p_payload, submitter());
    v_task.submitted_by := submitter();
  end if;
  if v_task.key is not null then
    perform retake_key(v_task, v_now);
  end if;
  if p_from is not null or exists (select from steps where task = p_id) then
    perform forget_steps(p_id, p_from, p_from is null and v_task.state <> 'done');
  end if;
  v_is_child := reopen_child(p_id, v_task.parent);

  perform store_tasks(
    array[row(
      v_task.queue, coalesce(p_payload, v_task.payload), v_task.handler, v_task.kind, v_task.priority,
      coalesce(p_run_at, v_now), v_task.key, null, null, v_task.frees_key, v_task.groups, v_task.max_running,
      v_task.tags, v_task.version, v_task.max_attempts, v_task.backoff, v_task.timeout, null, v_task.retention,
      v_task.parent, v_task.meta, null, null
    )::new_task],
    p_is_checked => true, p_by => v_task.submitted_by, p_ids => array[v_task.id], p_created_at => v_task.created_at,
    p_iteration => v_task.iteration, p_event => 'retry');
  perform keep_former_payload(p_id, v_task.payload, coalesce(p_payload, v_task.payload));
  if v_is_child then
    update tasks set is_awaited = true where id = p_id;
  end if;
  perform audit_change('retry', 'task', p_id::text, v_before,
                       case when p_payload is not null then '{"payload": "changed"}'::jsonb end);
end;
$$;
