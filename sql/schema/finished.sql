-- Tasks that ended, and what is kept about a task beside its row: failed attempts, log lines
-- and callers that wait for its end.

-- Tasks that ended. The statement that deletes the row from tasks writes this one. Each day
-- is a partition, so that retention drops tables instead of deleting rows. The default
-- partition takes rows for which no day has been prepared. Packs are kept as they ended: with
-- a size above 1, payload and output are arrays with one element per task. A payload that is
-- null is in `payloads`.
create table finished (
  id           bigint      not null,
  created_at   timestamptz not null,
  run_at       timestamptz not null,
  started_at   timestamptz,
  finished_at  timestamptz not null,
  keep_until   timestamptz not null,
  deadline     timestamptz,
  parent       bigint,
  iteration    bigint      not null,
  size         integer     not null default 1,
  priority     integer     not null,
  version      integer     not null,
  attempt      integer     not null,
  max_attempts integer,
  max_running  integer,
  frees_key    boolean,
  timeout      interval,
  retention    interval,
  state        text        not null,
  reason       text,
  kind         text        not null,
  queue        text        collate "C" not null,
  key          text        collate "C",
  handler      text,
  submitted_by text        not null,
  worker       text,
  claimed_at   timestamptz,
  groups       text[],
  tags         text[],
  backoff      jsonb,
  meta         jsonb,
  payload      jsonb,
  output       jsonb,
  error        jsonb
) partition by range (finished_at);

-- Read by look-ups of one task: task(), retry(), delete().
create index finished_by_id on finished (id);

-- Read by page_tasks(), to find the few that did not succeed among the many that did. Only
-- they have a reason, and testing it takes half the time of comparing the state.
create index finished_undone on finished (id) where reason is not null;

-- Read by look-ups of a key over all queues, and by sweep() to free kept keys.
create index finished_by_key on finished (key) where key is not null;

-- Read by sweep(). Rows arrive nearly in the order in which they expire, so a block range
-- index finds them and costs almost nothing to maintain.
create index finished_to_sweep on finished using brin (keep_until)
  with (pages_per_range = 16, autosummarize = on);

create table finished_default partition of finished default;

-- How far sweep() has come with a day of finished that it is about to drop: for the tasks
-- before `block` of that partition, nothing is left in other tables.
create table clearings (
  day   text   not null,
  block bigint not null,

  constraint clearings_pkey primary key (day)
);

-- One row per attempt that did not succeed; success is in finished. `payload` is what the
-- attempt ran with, where it was replaced afterwards; the attempts before it that have none
-- ran with the same.
create table attempts (
  task       bigint      not null,
  iteration  bigint      not null,
  attempt    integer     not null,
  started_at timestamptz,
  ended_at   timestamptz not null,
  worker     text,
  reason     text        not null,
  error      jsonb,
  payload    jsonb,

  constraint reason_is_known check (reason in ('error', 'timeout', 'lost', 'rejected', 'killed'))
);

-- Read by look-ups of one task, and by sweep().
create index attempts_of_task on attempts (task, ended_at);

-- Lines that a task wrote while it ran. A reader that follows a task asks for ids after the
-- last it saw: `at` does not give the order, because executors may send their own times.
create table logs (
  id      bigint      generated always as identity,
  task    bigint      not null,
  attempt integer     not null,
  at      timestamptz not null default clock_timestamp(),
  level   text        not null,
  message text        not null
);

-- Read by look-ups of one task, and by sweep().
create index logs_of_task on logs (task, id);

-- Tasks for whose end a caller waits. Nearly always empty, so checking it costs nothing.
create table waiters (
  task  bigint      not null,
  until timestamptz not null
) with (autovacuum_vacuum_threshold = 200, autovacuum_vacuum_scale_factor = 0);

-- Read by end_tasks().
create index waiters_of_task on waiters (task);
