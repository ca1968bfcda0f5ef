-- move(): queued → queued, at another time
--
-- For a task that waits; one that runs is rescheduled by its holder.

create or replace function move(p_id bigint, p_run_at timestamptz)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('task', p_id::text);
  v_now    timestamptz := clock_timestamp();
  v_groups text[];
  v_queue  text;
  v_parked text;
begin
  perform require_tasks('operate', array[p_id]);
  perform split_packs(array[p_id]);
  perform check_run_at(p_run_at);
  select parked_on into v_parked from tasks where id = p_id and claim is null and waits is null for no key update;
  update tasks set run_at = p_run_at, parked_on = null
  where id = p_id and claim is null and waits is null
  returning queue, groups into v_queue, v_groups;
  perform require_state(p_id, found, 'moved', 'queued');

  if v_groups is not null and v_parked is null and p_run_at > v_now then
    perform free_groups(v_groups, array_fill(0, array[cardinality(v_groups)]), v_now);
  end if;
  perform record_events('move', array[p_id], array[v_queue]);
  perform wake_workers(array[v_queue], p_run_at);
  perform audit_change('move', 'task', p_id::text, v_before);
end;
$$;
