-- preview_schedule() — the next times of a schedule, as the clocks of its zone will show them
--
--   select * from preview_schedule('report', 5);
--
-- From now, or from p_from. Where a change of the clocks matters, note is one of moved,
-- first_of_two and second_of_two, and meant is the time of day that the plan names. Of a
-- schedule that plans from the end of each run, the earliest times there can be.

create or replace function preview_schedule(p_name text, p_count integer default 10, p_from timestamptz default null)
  returns table (planned_at timestamptz, local text, note text, meant text)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
declare
  v_plan schedules;
begin
  select * into v_plan from schedules where name = p_name;
  if not found then
    perform refuse_no_schedule(p_name);
  end if;
  perform require_schedule(v_plan);
  return query select * from preview(v_plan, p_count, p_from);
end;
$$;

-- preview_schedule(jsonb) — the next times that settings would give, before they are set
--
--   select * from preview_schedule('{"cron": "30 2 * * *", "zone": "Europe/Berlin"}'::jsonb, 5);

create or replace function preview_schedule(
  p_settings jsonb,
  p_count    integer     default 10,
  p_from     timestamptz default null
)
  returns table (planned_at timestamptz, local text, note text, meant text)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_now  timestamptz := clock_timestamp();
  v_plan schedules := apply_schedule_settings(new_schedule(null, v_now), p_settings);
begin
  v_plan.anchor := coalesce(v_plan.starts_at, date_trunc('milliseconds', v_now));
  return query select * from preview(v_plan, p_count, p_from);
end;
$$;
