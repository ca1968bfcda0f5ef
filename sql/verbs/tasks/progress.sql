-- progress(): running, how far it has come
--
-- For the holder of the claim; shown with the task until it ends.

create or replace function progress(p_id bigint, p_claim bigint, p_progress jsonb)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue text;
begin
  perform require_tasks('consume', array[p_id]);
  perform check_size('progress', 'the progress of the task', p_progress);
  perform split_live_packs(array[p_id]);
  update tasks set progress = p_progress where id = p_id and claim = p_claim returning queue into v_queue;
  perform require_held(p_id, p_claim, found);
  perform record_events('progress', array[p_id], array[v_queue]);
end;
$$;
