-- resume() — a paused queue starts tasks again

create or replace function resume(p_queue text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('queue', p_queue);
begin
  perform check_queue(p_queue);
  if has_grants() then
    perform require_queues('operate', array[p_queue]);
  end if;
  perform require_queue(p_queue);
  update queues set paused_at = null where name = p_queue;
  perform wake_workers(array[p_queue]);
  perform audit_change('resume', 'queue', p_queue, v_before);
end;
$$;
