-- Tasks that are queued or running, and the type that producers hand in.
--
-- Only the verbs write `tasks` and `finished`, and only they check what they write: a check
-- constraint is read and planned again in every statement, which took as long as storing
-- the task. The tests add the constraints and run every verb under them
-- (test/support/row-rules.ts).

-- Without a cache: tasks that a person enqueues one by one, each in a session of its own, have
-- consecutive ids. Tasks are ordered by run_at first; the id only breaks ties.
create sequence task_ids as bigint;

-- A row is a pack of one or more tasks that differ in their payload only; see core/packs.sql.
-- Its tasks have the ids from `id` to `id + size - 1`. With a size above 1 the payload is an
-- array with the payload of each.
--
-- Narrow and fixed-width columns come first, the payload last; where it is null, it is in
-- `payloads`. `claim` is null while the task
-- is queued and has the id of its claim while it runs. No index covers a column that claim()
-- changes, so claiming is a HOT update; the fillfactor keeps room for it. `parked_on` names
-- the full group that a task waits for: queued, or within its claim (core/claim_lines.sql).
-- `turn` names the group in whose turn a fair queue claims
-- it. Either keeps the task out of tasks_to_claim.
--
-- `waits` says what a task that gave back its claim waits for (core/durable/waits.sql); `run_at` is then
-- when it stops waiting, or never() (9999). `is_awaited`: a parent, or a task that comes after it, is notified
-- of its end. Both are null for tasks that use none of this.
create table tasks (
  id           bigint      not null default nextval('task_ids'),
  created_at   timestamptz not null,
  run_at       timestamptz not null,
  claim        bigint,
  started_at   timestamptz,
  deadline     timestamptz,
  parent       bigint,
  iteration    bigint      not null default 0,
  size         integer     not null default 1,
  priority     integer     not null default 0,
  version      integer     not null default 1,
  attempt      integer     not null default 0,
  max_attempts integer,
  max_running  integer,
  frees_key    boolean,
  is_awaited   boolean,
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
  waits        jsonb,
  payload      jsonb,

  constraint tasks_pkey primary key (id)
) with (
  fillfactor = 50,
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_vacuum_insert_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.1,
  autovacuum_vacuum_cost_delay = 0
);

-- Read by claim(): a range on time per queue and priority. With the size, so that queue_stats
-- counts tasks without reading their rows.
create index tasks_to_claim on tasks (queue, priority desc, run_at, id) include (size)
  where parked_on is null and turn is null;

-- Read by claim() of a fair queue: the tasks of each group in order.
create index tasks_in_turn on tasks (queue, turn, priority desc, run_at, id) where turn is not null;

-- Read by unpark_tasks(): the tasks of all queues that wait for room in a group.
create index tasks_parked on tasks (parked_on, priority desc, run_at, id) where parked_on is not null;

-- Read by look-ups of a key that was freed when its task started; `keys` has the others.
create index tasks_without_key on tasks (key) where frees_key;

-- Read by expire().
create index tasks_to_expire on tasks (deadline) where deadline is not null;

-- Large payloads of tasks, live or ended: a task that ends moves to another table without
-- them, so they are written once and read once. See core/payloads.sql.
create table payloads (
  task    bigint not null,
  payload jsonb  not null,

  constraint payloads_pkey primary key (task)
) with (
  autovacuum_vacuum_scale_factor = 0.1,
  autovacuum_analyze_scale_factor = 0.5
);

-- Where the server has it: storing what compresses takes a third to a fifth of the time.
do $$
begin
  alter table payloads alter column payload set compression lz4;
exception when feature_not_supported then null;
end;
$$;

-- A task as its producer describes it. This is the one list of a task's properties: all code
-- that stores tasks passes rows of this type to store_tasks(). Null means the default.
create type new_task as (
  queue        text,
  payload      jsonb,
  handler      text,
  kind         text,
  priority     integer,
  run_at       timestamptz,
  key          text,
  on_duplicate text,
  "window"     interval,
  frees_key    boolean,
  groups       text[],
  max_running  integer,
  tags         text[],
  version      integer,
  max_attempts integer,
  backoff      jsonb,
  timeout      interval,
  deadline     timestamptz,
  retention    interval,
  parent       bigint,
  meta         jsonb,
  after        bigint[],
  after_failure text
);
