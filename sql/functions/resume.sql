-- resume() — a paused queue starts tasks again

create or replace function resume(p_queue text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_queue(p_queue);
  update queues set paused_at = null where name = p_queue;
  perform ring(array[p_queue]);
end;
$$;
