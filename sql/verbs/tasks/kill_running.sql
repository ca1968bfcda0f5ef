-- kill_running(): running → failed
--
-- An operator gives a task up for good, whatever attempts are left. It takes effect
-- at once: the worker that runs it has lost its lease, as after cancel().

create or replace function kill_running(p_id bigint, p_error jsonb default null)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('task', p_id::text);
  v_claim  bigint;
begin
  perform require_tasks('operate', array[p_id]);
  perform split_packs(array[p_id]);
  select claim into v_claim from tasks where id = p_id for no key update;
  perform require_state(p_id, v_claim is not null, 'killed', 'running');
  perform from end_attempts(
    array[p_id], array[v_claim], array['killed'],
    array[coalesce(p_error, '{"code": "killed", "message": "killed by hand"}')], null, array[false], null, false);
  perform notify_cancelled(array[p_id], array[v_claim]);
  perform audit_change('kill_running', 'task', p_id::text, v_before);
end;
$$;
