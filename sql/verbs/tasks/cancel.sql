-- cancel(): queued | waiting | running → cancelled, with its children
--
-- Takes effect at once. A worker that runs the task has lost its lease: it learns so by
-- NOTIFY, or at its next heartbeat, and its result will be refused.

create or replace function cancel(p_id bigint)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('task', p_id::text);
begin
  perform require_tasks('operate', array[p_id]);
  perform require_state(p_id, p_id = any (cancel_tasks(array[p_id])), 'cancelled', 'queued, waiting or running');
  perform audit_change('cancel', 'task', p_id::text, v_before);
end;
$$;
