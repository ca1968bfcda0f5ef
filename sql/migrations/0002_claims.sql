-- Who holds what, and who is there to hold it.

create sequence claim_ids as bigint;

-- One row per claim (a batch of tasks). Its id is the lease's token. `open`
-- counts the tasks not yet reported; the row goes with the last of them.
create table claims (
  id         bigint      not null default nextval('claim_ids'),
  queue      text        collate "C" not null,
  worker     text        not null,
  claimed_at timestamptz not null,
  expires_at timestamptz not null,
  open       integer     not null,
  tasks      bigint[]    not null,

  constraint claims_pkey primary key (id)
) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- Ids hardly compress; trying cost a microsecond per task.
alter table claims alter column tasks set storage external;

-- Read by rescue().
create index claims_to_rescue on claims (expires_at);

-- The processes that run tasks. An id is random per process start: host names
-- and process ids repeat.
create table workers (
  id           text        not null,
  host         text        not null,
  pid          integer     not null,
  version      text        not null,
  queues       text[]      not null,
  slots        integer     not null,
  started_at   timestamptz not null,
  beat_at      timestamptz not null,
  draining_at  timestamptz,
  state        jsonb       not null default '{}',

  constraint workers_pkey primary key (id)
) with (fillfactor = 50);

-- Workers that wait for something to do, a row per queue they serve. Whoever
-- makes a task due before `until` rings them; nobody is rung while all are awake.
create table sleepers (
  queue  text        collate "C" not null,
  worker text        not null,
  until  timestamptz not null,

  constraint sleepers_pkey primary key (queue, worker)
) with (fillfactor = 50);
