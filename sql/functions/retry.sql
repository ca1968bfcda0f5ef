-- retry(): done | failed | cancelled → queued
--
-- The task comes back under its own id with all its attempts, now or at p_run_at,
-- with its old payload or a mended one, and without its deadline, which may be over.
-- Refused while another task holds its key.

create or replace function retry(p_id bigint, p_run_at timestamptz default null, p_payload jsonb default null)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := described('task', p_id::text);
  v_now  timestamptz := clock_timestamp();
  v_task finished;
begin
  perform require_tasks('operate', array[p_id]);
  delete from finished where id = p_id returning * into v_task;
  perform require_state(p_id, found, 'retried', 'done, failed or cancelled');
  perform check_run_at(coalesce(p_run_at, v_now));
  perform check_payloads(array[v_task.queue], array[coalesce(p_payload, v_task.payload)]);
  if v_task.kind = 'sql' and p_payload is not null then
    -- SQL runs in the name of whoever wrote it.
    p_payload := check_sql(p_payload, submitter());
    v_task.submitted_by := submitter();
  end if;
  if v_task.key is not null then
    perform retake_key(v_task, v_now);
  end if;

  perform open_lanes(array[v_task.queue], array[v_task.priority]);
  insert into tasks (
    id, created_at, run_at, parent, iteration, priority, version, max_attempts, max_running, frees_key, timeout,
    retention, kind, queue, turn, key, handler, submitted_by, groups, tags, backoff, meta, payload
  )
  values (
    v_task.id, v_task.created_at, coalesce(p_run_at, v_now), v_task.parent, v_task.iteration, v_task.priority,
    v_task.version, v_task.max_attempts, v_task.max_running, v_task.frees_key, v_task.timeout, v_task.retention,
    v_task.kind, v_task.queue,
    case when (rules(v_task.queue)).is_fair then coalesce(v_task.groups[1], '') end,
    v_task.key, v_task.handler, v_task.submitted_by, v_task.groups, v_task.tags, v_task.backoff, v_task.meta,
    coalesce(p_payload, v_task.payload)
  );
  insert into deltas (queue, enqueued) values (v_task.queue, 1);
  perform note_events('retry', array[v_task.id], array[v_task.queue]);
  perform ring(array[v_task.queue], coalesce(p_run_at, v_now));
  perform note_change('retry', 'task', p_id::text, v_before, case when p_payload is not null then '{"payload": "changed"}'::jsonb end);
end;
$$;
