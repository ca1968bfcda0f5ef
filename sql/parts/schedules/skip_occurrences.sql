-- skip_occurrences() — writes down planned times of a schedule that do not fire, and why

create or replace function skip_occurrences(p_schedule schedules, p_planned_ats timestamptz[], p_reason text, p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  insert into occurrences (schedule, planned_at, recorded_at, outcome, reason, origin)
  select p_schedule.name, planned_at, p_now, 'skipped', p_reason, 'schedule'
  from unnest(p_planned_ats) as given (planned_at)
  on conflict (schedule, planned_at) do nothing;
end;
$$;
