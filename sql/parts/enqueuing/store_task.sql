-- store_task() — → queued: a task that another task left behind
--
-- Stored as it is given, under an id of its own, in the name of the one who
-- submitted the first. For whoever makes tasks out of tasks: what was checked when
-- the first was enqueued is not checked again. Answers with the id.

create or replace function store_task(p_task tasks)
  returns bigint
  language plpgsql
as $$
declare
  v_id bigint := nextval('task_ids');
begin
  perform open_lanes(array[p_task.queue], array[p_task.priority]);
  insert into tasks (
    id, created_at, run_at, deadline, parent, priority, version, max_attempts, max_running, timeout, retention, kind,
    queue, turn, handler, submitted_by, groups, tags, backoff, meta, payload
  )
  values (
    v_id, clock_timestamp(), p_task.run_at, p_task.deadline, p_task.parent, p_task.priority, p_task.version,
    p_task.max_attempts, p_task.max_running, p_task.timeout, p_task.retention, p_task.kind, p_task.queue,
    case when (rules(p_task.queue)).is_fair then coalesce(p_task.groups[1], '') end,
    p_task.handler, p_task.submitted_by, p_task.groups, p_task.tags, p_task.backoff, p_task.meta, p_task.payload
  );
  insert into deltas (queue, enqueued) values (p_task.queue, 1);
  perform note_events('enqueue', array[v_id], array[p_task.queue]);
  perform ring(array[p_task.queue], p_task.run_at);
  return v_id;
end;
$$;
