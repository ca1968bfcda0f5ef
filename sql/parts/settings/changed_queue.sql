-- changed_queue() — a queue's row with new settings, refused if they make no sense

create or replace function changed_queue(p_queue queues, p_settings jsonb)
  returns queues
  language plpgsql
as $$
declare
  v_fault text := unfit_setting(p_queue, p_settings);
  v_new   queues := jsonb_populate_record(p_queue, case when v_fault is null then p_settings end);
begin
  if v_fault is null and p_settings ->> 'backoff' is not null then
    v_fault := backoff_fault(p_settings -> 'backoff');
  end if;
  v_new.is_fair := coalesce(v_new.is_fair, false);
  v_new.keeps_keys := coalesce(v_new.keeps_keys, false);
  v_new.records_events := coalesce(v_new.records_events, false);
  v_fault := coalesce(v_fault, case
    when v_new.max_attempts < 1 then 'max_attempts must be 1 or more'
    when v_new.max_payload < 1 then 'max_payload must be 1 byte or more'
    when v_new.group_max_running < 1 then 'group_max_running must be 1 or more'
    when least(v_new.keep_done, v_new.keep_failed, v_new.keep_cancelled) < interval '0'
      then 'keep_done, keep_failed and keep_cancelled must not be negative'
    when greatest(v_new.keep_done, v_new.keep_failed, v_new.keep_cancelled) > interval '1000 years'
      then 'keep_done, keep_failed and keep_cancelled must be 1000 years or less'
    when v_new.on_lost not in ('retry', 'fail') then format('on_lost %L is unknown; use retry or fail', v_new.on_lost)
    when p_queue.name = '*' and (
      v_new.max_attempts is null or v_new.max_payload is null or v_new.keep_done is null or v_new.keep_failed is null
      or v_new.keep_cancelled is null or v_new.backoff is null or v_new.on_lost is null
    ) then 'the queue * is where defaults come from; it cannot go without'
    when p_queue.name = '*' and (v_new.is_fair or v_new.keeps_keys or v_new.records_events)
      then 'is_fair, keeps_keys and records_events belong to one queue each'
  end);
  if v_fault is not null then
    perform refuse('TK004', format('queue %s cannot be set so: %s', p_queue.name, v_fault), 'Nothing was changed.');
  end if;
  return v_new;
end;
$$;
