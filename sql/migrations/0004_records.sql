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
-- Rows are only ever inserted here, so nobody waits for anybody.
create table deltas (
  at        timestamptz not null default clock_timestamp(),
  queue     text    collate "C" not null,
  enqueued  integer not null default 0,
  claimed   integer not null default 0,
  done      integer not null default 0,
  failed    integer not null default 0,
  cancelled integer not null default 0,
  requeued  integer not null default 0,
  lost      integer not null default 0
) with (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);

create table counters (
  queue     text        collate "C" not null,
  minute    timestamptz not null,
  enqueued  bigint not null default 0,
  claimed   bigint not null default 0,
  done      bigint not null default 0,
  failed    bigint not null default 0,
  cancelled bigint not null default 0,
  requeued  bigint not null default 0,
  lost      bigint not null default 0,

  constraint counters_pkey primary key (queue, minute)
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
