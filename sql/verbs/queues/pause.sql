-- pause() — nothing more of a queue starts; what runs goes on
--
-- A queue that does not exist is refused. To pause one before its first task, create it with
-- set_queue().

create or replace function pause(p_queue text)
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
  insert into queues (name, paused_at) values (p_queue, clock_timestamp())
  on conflict (name) do update set paused_at = coalesce(queues.paused_at, excluded.paused_at);
  perform recall_unstarted('@' || p_queue);
  perform audit_change('pause', 'queue', p_queue, v_before);
end;
$$;
