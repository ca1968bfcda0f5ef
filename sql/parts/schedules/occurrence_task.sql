-- occurrence_task() — the task of one planned time, as enqueue_many(jsonb) takes it
--
-- The template with its time; meta says of which schedule and which planned time it is.

create or replace function occurrence_task(p_schedule schedules, p_planned_at timestamptz, p_run_at timestamptz)
  returns jsonb
  language sql
  stable
as $$
  select p_schedule.task
    || jsonb_build_object(
      'run_at', p_run_at,
      'meta', coalesce(nullif(p_schedule.task -> 'meta', 'null'), '{}') || jsonb_build_object(
        'schedule', p_schedule.name,
        'planned_at', to_char(p_planned_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
    || case
      when p_schedule.overlap = 'queue' then jsonb_build_object(
        'groups', coalesce(nullif(p_schedule.task -> 'groups', 'null'), '[]') || to_jsonb('schedule:' || p_schedule.name))
      else '{}'
    end;
$$;
