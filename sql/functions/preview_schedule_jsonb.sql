-- preview_schedule(jsonb) — the next times that settings would give, before they are set
--
--   select * from preview_schedule('{"cron": "30 2 * * *", "zone": "Europe/Berlin"}'::jsonb, 5);

create or replace function preview_schedule(p_settings jsonb, p_count integer default 10, p_from timestamptz default null)
  returns table (planned_at timestamptz, local text, note text)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_now  timestamptz := clock_timestamp();
  v_plan schedules := changed_schedule(new_schedule(null, v_now), p_settings);
begin
  v_plan.anchor := coalesce(v_plan.starts_at, date_trunc('milliseconds', v_now));
  return query select * from preview(v_plan, p_count, p_from);
end;
$$;
