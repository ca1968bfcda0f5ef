-- What happened: events for those who follow, counters for those who count.

-- Somebody looks on until then: events are recorded for all queues. In the row '*', which
-- every verb reads anyway. What happened after the event `followed_from` is known without
-- a gap: since then somebody has always been looking on, and nothing was swept.
alter table queues add column followed_until timestamptz;
alter table queues add column followed_from  bigint not null default 0;

create sequence event_ids as bigint;

-- Written while somebody looks on, and always for queues that ask for it
-- (queues.records_events).
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

-- Changes of the counters, one row per statement and queue, folded by roll_up().
-- Rows are only ever inserted here, so nobody waits for anybody. Of every attempt that
-- ended it has when it was due and when it began; how long that was is counted later, by
-- roll_up(), for to subtract two times takes as long as to store four.
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
  started_ats timestamptz[]
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

-- Times hardly compress.
alter table deltas alter column due_ats set storage external;
alter table deltas alter column started_ats set storage external;

-- What happened per queue, and in all queues (`*`), in each minute, ten minutes and hour
-- (`width`, in seconds). `waits` and `runs` say how many attempts waited and ran how long, by
-- the bounds that duration_buckets() gives.
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

-- The same since the beginning. enqueued − done − failed − cancelled is what lives.
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

-- Failures that say the same, per queue. `message` is without what differs from one to the
-- next; `sample` is what the last of them said in full.
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

create table error_counts (
  fingerprint text        not null,
  queue       text        collate "C" not null,
  hour        timestamptz not null,
  n           bigint      not null,

  constraint error_counts_pkey primary key (fingerprint, queue, hour)
) with (fillfactor = 70);

-- Lines that a task wrote while it ran.
create table logs (
  task    bigint      not null,
  attempt integer     not null,
  at      timestamptz not null default clock_timestamp(),
  level   text        not null,
  message text        not null
);

-- Read by whoever looks at one task, and by sweep().
create index logs_of_task on logs (task, at);

-- Tasks whose end somebody waits for. Nearly always empty, so that asking costs
-- nothing.
create table waiters (
  task  bigint      not null,
  until timestamptz not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- Read by finish().
create index waiters_of_task on waiters (task);

-- What tasks may be looked for by, as page_tasks() and count_tasks() take it: the names of
-- a filter are those of its columns. Null means any.
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
