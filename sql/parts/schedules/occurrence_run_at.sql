-- occurrence_run_at() — when the task of a planned time may run: then, put off by its share of the jitter
--
-- The share is drawn from the name and the time: whoever fires it, it is the same.

create or replace function occurrence_run_at(p_schedule schedules, p_planned_at timestamptz, p_from timestamptz)
  returns timestamptz
  language sql
  immutable
as $$
  select p_from + p_schedule.jitter * (
    (hashtextextended(p_schedule.name || extract(epoch from p_planned_at)::text, 0) & 1048575) / 1048576.0
  )::float8;
$$;
