-- Schedules know the token they were set with, so that revoking it can pause them.

-- `token` is null for a schedule that was set without one: in SQL, by the command line.
-- `pause_reason` says why the engine paused it; null when an operator did.
alter table schedules
  add column token        bigint,
  add column pause_reason text;
