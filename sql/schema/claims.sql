-- Which worker holds which tasks, and the locks that only the engine can take.

create sequence claim_ids as bigint;

-- One row per claim, which is a batch of tasks. Its id proves the lease. `open` counts the
-- tasks that have not been reported yet; the row is deleted with the last of them.
-- `has_uncounted`: it may hold tasks of groups that had no row in `groups` when it was made.
-- `tasks` has the ids of the rows that were claimed, `sizes` how many tasks each had; null when
-- all had one. claimed_ids() names the tasks one by one.
-- `line` names those of its tasks that wait for their turn within it; see core/claim_lines.sql.
create table claims (
  id            bigint      not null default nextval('claim_ids'),
  queue         text        collate "C" not null,
  worker        text        not null,
  claimed_at    timestamptz not null,
  expires_at    timestamptz not null,
  open          integer     not null,
  has_uncounted boolean     not null default false,
  tasks         bigint[]    not null,
  sizes         integer[],
  line          bigint[],

  constraint claims_pkey primary key (id)
) with (fillfactor = 50, autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- Ids hardly compress; trying cost a microsecond per task. (Postgres 14 and 15 cannot set
-- the storage in `create table`.)
alter table claims alter column tasks set storage external;

-- Read by rescue().
create index claims_to_rescue on claims (expires_at);

-- Read by count_new_groups().
create index claims_uncounted on claims (id) where has_uncounted;

-- Changes of a claim whose row another transaction has locked: its lease was renewed
-- (`expires_at`), or some of its tasks ended (`ended`). Rows are only inserted, so no worker
-- waits for the lock; fold_lease_notes() moves them into claims once the row is free.
create table lease_notes (
  claim      bigint      not null,
  ended      integer     not null default 0,
  expires_at timestamptz not null default '-infinity'
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- Read by extend(), take_lost_tasks() and fold_lease_notes().
create index lease_notes_of_claim on lease_notes (claim);

-- The gates and latches below are locks. Every login of the database can take an advisory
-- lock of any number and keep it. A lock on a table, or on one of its rows, needs a right to
-- the table, and only the engine's owner has one.

-- Any number of claims pass the gate of their queue at once (enter_gate()); start_counting()
-- closes it until it commits. The tables stay empty: only the lock on them counts. There are
-- several, so that a closed gate holds up few other queues.
create table gate_0 ();
create table gate_1 ();
create table gate_2 ();
create table gate_3 ();
create table gate_4 ();
create table gate_5 ();
create table gate_6 ();
create table gate_7 ();

-- Claims that start tasks of groups without a row, and callers that give a group its row,
-- exclude each other by locks on this table; see start_uncounted().
create table uncounted_starts ();

-- One row per action that only one transaction at a time may take; see create_groups().
create table latches (
  name text collate "C" not null,

  constraint latches_pkey primary key (name)
);

insert into latches (name) select 'create groups ' || n from generate_series(0, 15) as n;
