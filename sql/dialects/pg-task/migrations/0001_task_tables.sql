-- A task as its table shows it; the names and types are pg_task's.
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
  data      text,
  error     text,
  "group"   text,
  input     text,
  "null"    text,
  output    text,
  remote    text
);

-- The task tables there are. Each is a view in a schema of the user's, and a queue
-- of the engine.
create table task_tables (
  schema text not null,
  name   text not null,
  queue  text not null,

  constraint task_tables_pkey primary key (schema, name),
  constraint task_tables_queue unique (queue)
);

-- What a statement on a task table changes, row by row, until its last row is known:
-- then all of it is done in the order of locks. Empty between statements.
create table changes (
  xid     xid8   not null,
  task    bigint not null,
  change  text   not null,
  row     jsonb,

  constraint change_is_known check (change in ('amend', 'stop', 'plan', 'delete'))
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- Read by apply_changes().
create index changes_of_statement on changes (xid, task);
