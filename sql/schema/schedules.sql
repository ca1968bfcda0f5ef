-- Schedules, and what became of each planned time.

-- `task` is a template: what enqueue_many(jsonb) takes for one task, without its time.
-- `next_at` is the next planned time. It is null when there is none and, with drift
-- `finished`, while a task of the schedule runs. `look_at` is when fire() looks at the
-- schedule again: the next planned time, or later after an error. `bits` is the cron
-- expression as parse_cron() reads it; `anchor` is the time that `every` counts from.
-- `live` has the tasks whose end matters, because of overlap or drift. `secret` lets fire()
-- enqueue in the name of `set_by`, see submitter(). `token` is the token that the schedule
-- was set with, so that revoking it can pause the schedule; null when it was set in SQL or
-- by the command line. `pause_reason` says why the engine paused the schedule; null when an
-- operator did.
create table schedules (
  name          text        collate "C" not null,
  next_at       timestamptz,
  look_at       timestamptz,
  paused_at     timestamptz,
  starts_at     timestamptz,
  ends_at       timestamptz,
  anchor        timestamptz not null default clock_timestamp(),
  missed_until  timestamptz,
  swept_until   timestamptz,
  fired_at      timestamptz,
  fired_task    bigint,
  at            timestamptz,
  every         interval,
  cron          text,
  bits          varbit[],
  zone          text        not null default 'UTC',
  jitter        interval    not null default '0',
  misfire       text        not null default 'once',
  misfire_after interval    not null default '1 minute',
  catch_up      integer     not null default 100,
  overlap       text        not null default 'allow',
  drift         text        not null default 'planned',
  keep          interval    not null default '30 days',
  live          bigint[]    not null default '{}',
  failures      integer     not null default 0,
  error         jsonb,
  revision      integer     not null default 1,
  created_by    text        not null,
  created_at    timestamptz not null,
  set_by        text        not null,
  updated_at    timestamptz not null,
  secret        uuid        not null default gen_random_uuid(),
  task          jsonb       not null,
  token         bigint,
  pause_reason  text,

  constraint schedules_pkey primary key (name),
  constraint one_way_to_plan check (num_nonnulls(at, every, cron) = 1),
  constraint misfire_is_known check (misfire in ('once', 'skip', 'all')),
  constraint overlap_is_known check (overlap in ('allow', 'skip', 'queue', 'cancel')),
  constraint drift_is_known check (drift in ('planned', 'finished')),
  constraint catch_up_is_bounded check (catch_up between 1 and 1000)
) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- Read by fire().
create index schedules_to_fire on schedules (look_at);

-- One row per schedule and planned time, written once: either it fired and this is its task,
-- or it was skipped and this is why. Only backfill() changes skipped to fired.
create table occurrences (
  schedule    text        collate "C" not null,
  planned_at  timestamptz not null,
  recorded_at timestamptz not null,
  run_at      timestamptz,
  task        bigint,
  outcome     text        not null,
  reason      text,
  origin      text        not null,

  constraint occurrences_pkey primary key (schedule, planned_at),
  constraint outcome_is_known check (outcome in ('fired', 'skipped')),
  constraint reason_when_skipped check ((outcome = 'skipped') = (reason is not null)),
  constraint reason_is_known check (reason in ('misfire', 'overlap', 'paused', 'key', 'error')),
  constraint origin_is_known check (origin in ('schedule', 'backfill', 'now')),
  constraint task_when_fired check (outcome = 'skipped' or (task is not null and run_at is not null))
) with (autovacuum_vacuum_insert_scale_factor = 0.1);
