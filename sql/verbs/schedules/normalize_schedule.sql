-- normalize_schedule() — checks settings, and returns the plan they would give as the view schedule shows it
--
--   select every, at from normalize_schedule('{"every": "1.5 hours", "zone": "Europe/Berlin"}');
--
-- Intervals and times are returned as Postgres reads them: a time without an offset is
-- one of the zone. An interval without a start would count from now.

create or replace function normalize_schedule(p_settings jsonb)
  returns table (cron text, every interval, at timestamptz, zone text, drift text, anchor timestamptz)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
declare
  v_now  timestamptz := clock_timestamp();
  v_plan schedules := apply_schedule_settings(new_schedule(null, v_now), p_settings);
begin
  return query select v_plan.cron, v_plan.every, v_plan.at, v_plan.zone, v_plan.drift,
    coalesce(v_plan.starts_at, date_trunc('milliseconds', v_now));
end;
$$;
