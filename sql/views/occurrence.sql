-- occurrence — what became of each planned time of each schedule

create view occurrence as
  select schedule, planned_at, outcome, reason, origin, task, run_at, recorded_at, recorded_at - planned_at as late
  from occurrences;
