-- pg_background_set_defaults() — changes what holds for topics that say nothing else, and for all together
--
--   select pg_background_set_defaults('{"max_parallel_running_tasks_count": 4, "delay_in_sec": 0, "retry_count": 1}');
--
--   reserve                 how many of max_worker_processes no background task may use
--   max_retry_delay_in_sec  the longest wait before another try; an hour
--   retry_jitter            spreads that wait over ± this share of it; 0
--
-- What is not named stays as it is; null puts the built-in value back.

create or replace function pg_background_set_defaults(settings jsonb default '{}')
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_new background_defaults;
  v_fault text;
begin
  perform check_settings(
    settings,
    '{max_parallel_running_tasks_count,delay_in_sec,retry_count,reserve,max_retry_delay_in_sec,retry_jitter}');
  perform background_checked(settings);
  select * into v_new from background_defaults for update;
  begin
    v_new := jsonb_populate_record(v_new, settings);
  exception when data_exception then
    v_fault := sqlerrm;
  end;
  v_fault := coalesce(v_fault, case
    when v_new.reserve < 0 then 'reserve must not be negative'
    when v_new.max_retry_delay_in_sec < 1 then 'max_retry_delay_in_sec must be 1 or more'
    when v_new.retry_jitter not between 0 and 1 then 'retry_jitter must be from 0 to 1'
  end);
  if v_fault is not null then
    perform refuse('22023', 'background tasks cannot be set so: ' || v_fault, 'Nothing was changed.');
  end if;
  update background_defaults
  set max_parallel_running_tasks_count = v_new.max_parallel_running_tasks_count,
      delay_in_sec = v_new.delay_in_sec,
      retry_count = v_new.retry_count,
      reserve = v_new.reserve,
      max_retry_delay_in_sec = v_new.max_retry_delay_in_sec,
      retry_jitter = v_new.retry_jitter;
  perform set_queue('pg_background', jsonb_build_object('group_max_running', v_new.max_parallel_running_tasks_count));
  perform set_group('pg_background', jsonb_build_object('max_running', background_limit()));
  perform background_refresh_topics();
end;
$$;
