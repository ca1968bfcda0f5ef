-- A row of a task table, as the dialect reads it; the names are pg_task's.
create type task_row as (
  id        bigint,
  parent    bigint,
  plan      timestamptz,
  start     timestamptz,
  stop      timestamptz,
  active    interval,
  live      interval,
  repeat    interval,
  timeout   interval,
  count     integer,
  max       integer,
  pid       integer,
  state     text,
  delete    boolean,
  drift     boolean,
  header    boolean,
  save      boolean,
  string    boolean,
  delimiter text,
  escape    text,
  quote     text,
  "group"   text,
  input     text,
  "null"    text,
  remote    text
);

-- The task tables there are. Each is a table of the user's and a queue of the engine. A row
-- whose SQL waits or runs has a live task in that queue, with the row's id as its key.
create table task_tables (
  relation   oid  not null,
  schema     text not null,
  name       text not null,
  queue      text not null,
  -- The type of the column state.
  state_type text not null,
  -- Whether timeout is for the whole run; else it is for each statement, as pg_task has it.
  strict_timeout boolean not null default false,

  constraint task_tables_pkey primary key (relation),
  constraint task_tables_queue unique (queue)
);

-- Connection strings that have a password. The task table shows them without it.
create table remotes (
  queue  text   not null,
  id     bigint not null,
  remote text   not null,

  constraint remotes_pkey primary key (queue, id)
);

-- For the transaction that inserts a repetition: in whose name, and for which ended task. Only
-- the dialect can write here, so an INSERT cannot pretend to be a repetition. Empty between
-- statements.
create table repeating (
  xid    xid8   not null,
  queue  text   not null,
  parent bigint not null,
  submitted_by text not null,
  role   text,
  zone   text   not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- Ends that could not be written to their rows yet, because another transaction holds the row
-- or because a trigger, a constraint or a type of the user's table refused. write_owed() tries again.
create table owed_writes (
  task     bigint      not null,
  queue    text        not null,
  what     text        not null,
  since    timestamptz not null default clock_timestamp(),
  tries    integer     not null default 0,
  next_try timestamptz not null default clock_timestamp() + interval '0.3 seconds',
  error    text,

  constraint owed_writes_pkey primary key (task, what),
  constraint what_is_known check (what in ('end', 'repeat'))
);

-- Read by write_owed().
create index owed_writes_due on owed_writes (next_try);

-- What a column is when an INSERT leaves it out and no setting says it.
create table defaults (
  level text not null,
  -- The role of the level user, schema.table of the level table; '' of the others.
  "for" text not null default '',
  name  text not null,
  value text not null,

  constraint defaults_pkey primary key (level, "for", name)
);
