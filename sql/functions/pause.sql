-- pause() — nothing more of a queue starts; what runs goes on

create or replace function pause(p_queue text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := described('queue', p_queue);
begin
  perform check_queue(p_queue);
  if has_grants() then
    perform require_queues('operate', array[p_queue]);
  end if;
  insert into queues (name, paused_at) values (p_queue, clock_timestamp())
  on conflict (name) do update set paused_at = coalesce(queues.paused_at, excluded.paused_at);
  perform recall_unstarted('@' || p_queue);
  perform note_change('pause', 'queue', p_queue, v_before);
end;
$$;
