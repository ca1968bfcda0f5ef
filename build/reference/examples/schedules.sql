-- Examples of the SQL reference. A test runs each of them. The schedule "report" is there.

-- apply_schedules
select name, outcome
from tusk.apply_schedules('{"report": {"task": {"queue": "reports"}, "cron": "@daily", "zone": "Europe/Berlin"}}');

-- backfill
select fired, more_from from tusk.backfill('report', now() - interval '7 days', now());

-- delete_schedule
select tusk.delete_schedule('report');

-- fire
select processed, next_in_ms from tusk.fire();

-- normalize_schedule
select every, at, zone from tusk.normalize_schedule('{"every": "1.5 hours", "zone": "Europe/Berlin"}');

-- pause_schedule
select tusk.pause_schedule('report');

-- preview_schedule
select planned_at, local, note from tusk.preview_schedule('report', 5);

-- resume_schedule
select tusk.resume_schedule('report');

-- run_schedule
select tusk.run_schedule('report');

-- set_schedule
select tusk.set_schedule('report', '{
  "task": {"queue": "reports"}, "cron": "30 2 * * *", "zone": "Europe/Berlin", "overlap": "skip"}');
