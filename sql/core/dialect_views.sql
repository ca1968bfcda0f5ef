-- What dialects read of the engine. They name no table of it (test/house/dialect-tables.test.ts).
--
-- Not in views/, because an upgrade drops and recreates the views there, and views of dialects and
-- task tables of users rest on these. So these are replaced in place: add a column at the end of
-- its list, and never rename, retype or remove one. Granted to no role.
--
-- Tasks in packs are not in them: only plain tasks of handlers are packed (core/packs.sql), and
-- none that a dialect stores.
--
-- Plain selects over one table each: Postgres merges them into the query, so a look-up by id or
-- key stays an index look-up, and `for update` locks the row of the table.

-- live_task — the tasks that are queued or running

create or replace view live_task as
  select id, queue, key, kind, claim, run_at, created_at, started_at, parent, iteration, priority, version, attempt,
         max_attempts, submitted_by, backoff, meta, progress, payload
  from tasks
  where size = 1;

-- ended_task — the tasks that are done, failed or cancelled

create or replace view ended_task as
  select id, queue, key, kind, state, reason, run_at, created_at, started_at, finished_at, parent, iteration, priority,
         version, attempt, submitted_by, backoff, meta, payload, output, error, keep_until, groups
  from finished
  where size = 1;

-- task_key — the keys that are taken, and by which task; beyond its end until `until`

create or replace view task_key as
  select queue, key, task, until
  from keys;

-- task_claim — the claims that workers hold; live_task.claim names one

create or replace view task_claim as
  select id, queue, worker, claimed_at, expires_at
  from claims;

-- failed_attempt — the attempts that did not succeed

create or replace view failed_attempt as
  select task, iteration, attempt, reason, worker, started_at, ended_at, error
  from attempts;

-- sql_backend — which backend runs a SQL task; it counts as long as the task has that claim

create or replace view sql_backend as
  select task, claim, pid, connection, began_at
  from sql_runs;

-- group_limit — the limits of each group, and how many of its tasks run now

create or replace view group_limit as
  select name, max_running, gap, running
  from groups;
