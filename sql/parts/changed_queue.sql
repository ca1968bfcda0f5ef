-- changed_queue() — a queue's row with new settings, refused if they make no sense

create or replace function changed_queue(p_queue queues, p_settings jsonb)
  returns queues
  language plpgsql
as $$
declare
  v_fault text;
  v_new   queues;
begin
  if p_settings ->> 'backoff' is not null then
    v_fault := backoff_fault(p_settings -> 'backoff');
  end if;
  p_settings := p_settings
    || jsonb_build_object(
         'is_fair', coalesce(nullif(p_settings -> 'is_fair', 'null'), to_jsonb(p_queue.is_fair)),
         'keeps_keys', coalesce(nullif(p_settings -> 'keeps_keys', 'null'), to_jsonb(p_queue.keeps_keys)),
         'records_events', coalesce(nullif(p_settings -> 'records_events', 'null'), to_jsonb(p_queue.records_events)));
  v_new := jsonb_populate_record(p_queue, p_settings);
  v_fault := coalesce(v_fault, case
    when v_new.max_attempts < 1 then 'max_attempts must be 1 or more'
    when v_new.max_payload < 1 then 'max_payload must be 1 byte or more'
    when v_new.group_max_running < 1 then 'group_max_running must be 1 or more'
    when least(v_new.keep_done, v_new.keep_failed, v_new.keep_cancelled) < interval '0' then 'retention must not be negative'
    when v_new.on_lost not in ('retry', 'fail') then format('on_lost %L is unknown; use retry or fail', v_new.on_lost)
    when p_queue.name = '*' and (
      v_new.max_attempts is null or v_new.max_payload is null or v_new.keep_done is null or v_new.keep_failed is null
      or v_new.keep_cancelled is null or v_new.backoff is null or v_new.on_lost is null
    ) then 'the queue * is where defaults come from; it cannot go without'
  end);
  if v_fault is not null then
    perform refuse('TK004', format('queue %s cannot be set so: %s', p_queue.name, v_fault), 'Nothing was changed.');
  end if;
  return v_new;
exception
  when invalid_text_representation or invalid_datetime_format or numeric_value_out_of_range
    or interval_field_overflow or datetime_field_overflow then
    perform refuse('TK004', format('queue %s cannot be set so: %s', p_queue.name, sqlerrm), 'Nothing was changed.');
end;
$$;
