-- describe_schedule() — when settings would come, as an English sentence, before they are set
--
--   select describe_schedule('{"cron": "30 2 * * *", "zone": "Europe/Berlin"}');

create or replace function describe_schedule(p_settings jsonb)
  returns text
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
declare
  v_now  timestamptz := clock_timestamp();
  v_plan schedules := changed_schedule(new_schedule(null, v_now), p_settings);
begin
  v_plan.anchor := coalesce(v_plan.starts_at, date_trunc('milliseconds', v_now));
  return schedule_in_words(v_plan);
end;
$$;
