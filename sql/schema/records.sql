-- What happened: events for clients that follow, counters for metrics, errors in groups.

create sequence event_ids as bigint;

-- Written while a client follows (queues.followed_until), and always for queues that ask for
-- it (queues.records_events).
create table events (
  id    bigint      not null default nextval('event_ids'),
  at    timestamptz not null default clock_timestamp(),
  event text        not null,
  task  bigint      not null,
  queue text        collate "C" not null,

  constraint events_pkey primary key (id)
);

-- Read by sweep().
create index events_to_sweep on events using brin (at);

-- Changes of the counters, one row per statement and queue, folded by roll_up(). Rows are
-- only inserted, so no statement waits for another. For every attempt that ended, the arrays
-- have when it was due and when it started, and `sizes` how many tasks each element stands for
-- (null: one). roll_up() computes the durations: subtracting two times takes as long as
-- storing four.
create table deltas (
  at          timestamptz not null default clock_timestamp(),
  queue       text    collate "C" not null,
  enqueued    integer not null default 0,
  claimed     integer not null default 0,
  done        integer not null default 0,
  failed      integer not null default 0,
  cancelled   integer not null default 0,
  requeued    integer not null default 0,
  retried     integer not null default 0,
  lost        integer not null default 0,
  due_ats     timestamptz[],
  started_ats timestamptz[],
  sizes       integer[]
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

-- Times hardly compress. (Postgres 14 and 15 cannot set the storage in `create table`.)
alter table deltas alter column due_ats set storage external;
alter table deltas alter column started_ats set storage external;

-- Counts per queue, and of all queues (`*`), by minute, ten minutes and hour (`width`, in
-- seconds). `waits` and `runs` are histograms of how long attempts waited and ran, with the
-- bounds of duration_buckets().
create table counters (
  queue        text        collate "C" not null,
  width        integer     not null,
  at           timestamptz not null,
  enqueued     bigint      not null,
  claimed      bigint      not null,
  done         bigint      not null,
  failed       bigint      not null,
  cancelled    bigint      not null,
  requeued     bigint      not null,
  retried      bigint      not null,
  lost         bigint      not null,
  wait_seconds float8      not null,
  run_seconds  float8      not null,
  waits        bigint[]    not null,
  runs         bigint[]    not null,

  constraint counters_pkey primary key (queue, width, at)
) with (fillfactor = 70);

-- Read by the view queue_stats, and by sweep().
create index counters_by_time on counters (width, at);

-- The same since the beginning. enqueued − done − failed − cancelled is the number of live
-- tasks.
create table totals (
  queue        text     collate "C" not null,
  enqueued     bigint   not null,
  claimed      bigint   not null,
  done         bigint   not null,
  failed       bigint   not null,
  cancelled    bigint   not null,
  requeued     bigint   not null,
  retried      bigint   not null,
  lost         bigint   not null,
  wait_seconds float8   not null,
  run_seconds  float8   not null,
  waits        bigint[] not null,
  runs         bigint[] not null,

  constraint totals_pkey primary key (queue)
) with (fillfactor = 50);

-- Attempts that did not succeed and tasks that expired, until roll_up() has grouped them.
create table failures (
  at      timestamptz not null,
  queue   text        collate "C" not null,
  task    bigint      not null,
  reason  text        not null,
  code    text,
  message text
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

-- Failures with the same message, per queue. `message` leaves out the parts that differ from
-- one failure to the next; `sample` is the full text of the last one.
create table error_groups (
  fingerprint text        not null,
  queue       text        collate "C" not null,
  code        text,
  message     text        not null,
  sample      text        not null,
  reason      text        not null,
  count       bigint      not null,
  first_at    timestamptz not null,
  last_at     timestamptz not null,
  last_task   bigint      not null,

  constraint error_groups_pkey primary key (fingerprint, queue)
) with (fillfactor = 70);

-- Read by the view error_group, the latest first, and by sweep().
create index error_groups_by_time on error_groups (last_at);

-- Failures of each group per hour.
create table error_counts (
  fingerprint text        not null,
  queue       text        collate "C" not null,
  hour        timestamptz not null,
  n           bigint      not null,

  constraint error_counts_pkey primary key (fingerprint, queue, hour)
) with (fillfactor = 70);

-- A filter of tasks, as page_tasks() and count_tasks() take it: the fields of a filter are
-- the names below. Null means any.
create type task_filter as (
  queue           text,
  states          text[],
  key             text,
  handler         text,
  kind            text,
  tag             text,
  "group"         text,
  parent          bigint,
  reason          text,
  worker          text,
  host            text,
  error           text,
  code            text,
  text            text,
  submitted_by    text,
  created_after   timestamptz,
  created_before  timestamptz,
  run_after       timestamptz,
  run_before      timestamptz,
  finished_after  timestamptz,
  finished_before timestamptz,
  ids             bigint[]
);
