-- What happened: events for those who follow, counters for those who count.

-- Written for queues that ask for it (queues.records_events). The transaction's
-- id lets a reader resume without a gap: ids are given out before commits, so a
-- higher id may become visible first.
create table events (
  id    bigint      generated always as identity,
  xid   xid8        not null default pg_current_xact_id(),
  at    timestamptz not null default clock_timestamp(),
  event text        not null,
  task  bigint,
  queue text        collate "C" not null,

  constraint events_pkey primary key (xid, id)
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
