-- The two tables a task lives in: tasks while it is queued or running, finished
-- afterwards. Nobody but the verbs writes them, and the verbs alone check what they
-- write: Postgres reads and plans a check constraint anew in every statement, which
-- took as long as storing a task does. The tests put the constraints back and run every
-- verb under them (test/support/row-rules.ts).

-- Blocks of 32 keep concurrent producers off one another's cache line. The
-- order of tasks rests on run_at first; the id only breaks ties.
create sequence task_ids as bigint cache 32;

-- Narrow and fixed-width columns first, payload last. `claim` is null while the
-- task is queued and holds the lease's token while it runs: no index mentions
-- what claim() changes, so taking a task is a HOT update, for which the pages
-- keep room. `parked_on` names the full group a task waits for; `turn` the group
-- in whose turn a fair queue takes it. Either keeps it out of the claim index.
create table tasks (
  id           bigint      not null default nextval('task_ids'),
  created_at   timestamptz not null,
  run_at       timestamptz not null,
  claim        bigint,
  started_at   timestamptz,
  deadline     timestamptz,
  parent       bigint,
  iteration    bigint      not null default 0,
  priority     integer     not null default 0,
  version      integer     not null default 1,
  attempt      integer     not null default 0,
  max_attempts integer,
  max_running  integer,
  frees_key    boolean,
  timeout      interval,
  retention    interval,
  kind         text        not null default 'handler',
  queue        text        collate "C" not null,
  parked_on    text        collate "C",
  turn         text        collate "C",
  key          text        collate "C",
  handler      text,
  submitted_by text        not null,
  groups       text[],
  tags         text[],
  backoff      jsonb,
  meta         jsonb,
  progress     jsonb,
  payload      jsonb       not null,

  constraint tasks_pkey primary key (id)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.1,
  autovacuum_vacuum_cost_delay = 0
);

-- Read by claim(): a range on time per queue and priority.
create index tasks_to_claim on tasks (queue, priority desc, run_at, id)
  where parked_on is null and turn is null;

-- Read by claim() of a fair queue: the line of each group.
create index tasks_in_turn on tasks (queue, turn, priority desc, run_at, id) where turn is not null;

-- Read by hand_over(): who waits for room in a group, whatever the queue.
create index tasks_parked on tasks (parked_on, priority desc, run_at, id) where parked_on is not null;

-- Read by look-ups of a key that was given back when the task started; keys has the others.
create index tasks_without_key on tasks (key) where frees_key;

-- Read by expire().
create index tasks_to_expire on tasks (deadline) where deadline is not null;

-- What ended. The row is written by the statement that removes it from tasks.
-- Days are partitions, so that retention drops tables instead of deleting rows;
-- the default partition takes whatever no day has been prepared for.
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
  groups       text[],
  tags         text[],
  backoff      jsonb,
  meta         jsonb,
  payload      jsonb       not null,
  output       jsonb,
  error        jsonb
) partition by range (finished_at);

-- Read by look-ups of one task: task(), retry(), delete().
create index finished_by_id on finished (id);

-- Read by page_tasks(), to find the few that did not succeed among the many that did. Only
-- they have a reason, and that is asked in half the time that a state takes.
create index finished_undone on finished (id) where reason is not null;

-- Read by look-ups of a key over all queues, and by sweep() to free kept keys.
create index finished_by_key on finished (key) where key is not null;

-- Read by sweep(). Rows arrive in the order in which they expire, or nearly so:
-- a block range index finds them and costs next to nothing to keep.
create index finished_to_sweep on finished using brin (keep_until) with (pages_per_range = 16, autosummarize = on);

create table finished_default partition of finished default;

-- One row per attempt that did not succeed; success is in finished.
create table attempts (
  task       bigint      not null,
  iteration  bigint      not null,
  attempt    integer     not null,
  started_at timestamptz,
  ended_at   timestamptz not null,
  worker     text,
  reason     text        not null,
  error      jsonb,

  constraint reason_is_known check (reason in ('error', 'timeout', 'lost', 'rejected', 'killed'))
);

-- Read by whoever looks at one task, and by sweep().
create index attempts_of_task on attempts (task, ended_at);
