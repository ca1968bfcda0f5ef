-- background_checked() — the settings of a topic as a row, or a refusal that says which cannot be

create or replace function background_checked(p_settings jsonb)
  returns background_topics
  language plpgsql
as $$
declare
  v_new   background_topics;
  v_fault text;
begin
  begin
    v_new := jsonb_populate_record(null::background_topics, p_settings);
  exception when data_exception then
    v_fault := sqlerrm;
  end;
  v_fault := coalesce(v_fault, case
    when v_new.max_parallel_running_tasks_count < 0 then 'max_parallel_running_tasks_count must not be negative'
    when v_new.delay_in_sec < 0 or v_new.delay_in_sec > 31536000 then 'delay_in_sec must be from 0 to a year'
    when v_new.retry_count < 0 or v_new.retry_count > 1000000 then 'retry_count must be from 0 to 1000000'
  end);
  if v_fault is not null then
    perform refuse('22023', 'background tasks cannot be set so: ' || v_fault, 'Nothing was changed.');
  end if;
  return v_new;
end;
$$;
