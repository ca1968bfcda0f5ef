-- single_task — the queued and running tasks, one row each; row_id is the row in which a task is
--
-- Two branches, so that a look-up by id reads an index for the tasks that have a row of their
-- own. For a task of a pack, give its row_id too (rows_of()).

create view single_task as
  select id as row_id, id, claim, run_at, attempt, parked_on, queue, groups, max_running, kind, handler, key, tags,
         priority, version, max_attempts, iteration, parent, submitted_by, created_at, started_at, deadline, timeout,
         progress, meta, waits,
         coalesce(payload, (select large.payload from payloads as large where large.task = tasks.id)) as payload
  from tasks
  where size = 1
  union all
  select id, id + n, claim, run_at, attempt, parked_on, queue, groups, max_running, kind, handler, key, tags,
         priority, version, max_attempts, iteration, parent, submitted_by, created_at, started_at, deadline, timeout,
         progress, meta, waits, payload -> n
  from tasks
  cross join lateral generate_series(0, size - 1) as n
  where size > 1;

-- single_ended_task — the tasks that ended, one row each; row_id is the row in which a task is

create view single_ended_task as
  select id as row_id, id, state, reason, queue, kind, handler, key, groups, tags, priority, version, attempt,
         max_attempts, iteration, parent, submitted_by, created_at, run_at, started_at, finished_at, keep_until,
         deadline, timeout, worker, claimed_at, meta,
         coalesce(payload, (select large.payload from payloads as large where large.task = finished.id)) as payload,
         output, error
  from finished
  where size = 1
  union all
  select id, id + n, state, reason, queue, kind, handler, key, groups, tags, priority, version, attempt,
         max_attempts, iteration, parent, submitted_by, created_at, run_at, started_at, finished_at, keep_until,
         deadline, timeout, worker, claimed_at, meta, payload -> n, nullif(output -> n, 'null'), error
  from finished
  cross join lateral generate_series(0, size - 1) as n
  where size > 1;

-- stored_task — every task there is, hot and finished as one, with the state people see
--
-- Granted to no role: people read task and own_task, which show what the reader may see.
--
-- A password in the connection string of a SQL task is not shown. Spelled out, because a
-- reader of a view needs the right to every function it calls.

create view stored_task as
  select tasks.id,
         case
           when tasks.claim is not null and tasks.parked_on is null then 'running'
           when tasks.waits is not null and tasks.run_at > clock_timestamp() then 'waiting'
           when tasks.run_at > clock_timestamp() then case when tasks.attempt = 0 then 'scheduled' else 'retrying' end
           when tasks.parked_on is not null or queues.paused_at is not null
             or (own.max_running <= own.running) or own.next_start_at > clock_timestamp()
             or exists (
               select from groups as held
               where held.name = any (tasks.groups)
                 and (held.paused_at is not null or held.next_start_at > clock_timestamp()
                      or held.running >= coalesce(tasks.max_running, held.max_running, queues.group_max_running,
                                                  common.group_max_running))
             ) then 'blocked'
           else 'ready'
         end as state,
         null::text as reason,
         tasks.queue, tasks.kind, tasks.handler, tasks.key, tasks.groups, tasks.tags, tasks.priority, tasks.version,
         tasks.attempt, coalesce(tasks.max_attempts, queues.max_attempts, common.max_attempts) as max_attempts,
         tasks.iteration, tasks.parent, tasks.submitted_by, tasks.created_at, tasks.run_at, tasks.started_at,
         null::timestamptz as finished_at, null::timestamptz as keep_until, tasks.deadline,
         coalesce(tasks.timeout, queues.timeout, common.timeout) as timeout,
         tasks.claim, claims.worker, claims.claimed_at, claims.expires_at as lease_expires_at,
         tasks.parked_on as waits_for, case when tasks.claim is null then tasks.waits end as waits, tasks.progress,
         tasks.meta,
         hide_password(tasks.kind, tasks.payload) as payload,
         null::jsonb as output, null::jsonb as error, tasks.row_id
  from single_task as tasks
  join queues as common on common.name = '*'
  left join queues on queues.name = tasks.queue
  left join groups as own on queues.is_counted and own.name = '@' || tasks.queue
  left join claims on claims.id = tasks.claim
  union all
  select id, state, reason, queue, kind, handler, key, groups, tags, priority, version, attempt,
         max_attempts, iteration,
         parent, submitted_by, created_at, run_at, started_at, finished_at, keep_until, deadline, timeout, null, worker,
         claimed_at, null, null, null, null, meta,
         hide_password(kind, payload) as payload,
         output, error, row_id
  from single_ended_task;

-- task — every task of the queues that the reader may operate
--
-- All there are, as long as no queue has grants. The condition is spelled out, here and in
-- other views, because a reader of a view needs the right to every function it calls; it is
-- that of may_use(). See guard_views() for what keeps a reader's own functions away from the rest.

create view task as
  select *
  from stored_task
  where (select not has_grants from queues where name = '*')
    or coalesce((
      select bool_or(may_operate)
      from reader_grant as held
      where held.queue = stored_task.queue
        or (right(held.queue, 1) = '*' and starts_with(stored_task.queue, left(held.queue, -1)))), true);

-- own_task — the tasks that the reader has enqueued; all that a producer may see
--
-- The reader is current_user, which a view takes from the statement that reads it. So
-- code that runs with the rights of its owner, in a session of another role, sees the owner's
-- tasks. A barrier: no condition of the reader's is asked about a task before it is
-- known to be its own.

create view own_task with (security_barrier) as
  select *
  from stored_task
  where submitted_by = current_user;

-- attempt — every attempt that did not succeed, with its error; of tasks that the reader may operate
--
-- `payload` is what it ran with, where that was replaced afterwards; attempts before it that have
-- none ran with the same.

create view attempt as
  select task, iteration, attempt, reason, worker, started_at, ended_at, ended_at - started_at as took, error,
         payload
  from attempts
  where (select not has_grants from queues where name = '*')
    or exists (
      select from task as shown
      where shown.id = attempts.task and shown.row_id = any (rows_of(array[attempts.task])));

-- task_log — the lines that tasks wrote while they ran; id tells their order; of tasks that the reader may operate

create view task_log as
  select id, task, attempt, at, level, message
  from logs
  where (select not has_grants from queues where name = '*')
    or exists (
      select from task as shown
      where shown.id = logs.task and shown.row_id = any (rows_of(array[logs.task])));

-- step — what tasks have stored of their steps, in order; of tasks that the reader may operate

create view step as
  select task, place, name, kind, state, attempt, child, signal, is_detached, until, started_at, finished_at,
         finished_at - started_at as took, output, error
  from steps
  where (select not has_grants from queues where name = '*')
    or exists (
      select from task as shown
      where shown.id = steps.task and shown.row_id = any (rows_of(array[steps.task])));

-- pending_signal — signals that no task has received yet; of tasks and queues that the reader may operate

create view pending_signal as
  select id, task, queue, key, name, sent_at, sent_by, nullif(keep_until, 'infinity') as keep_until, payload
  from signals
  where (select not has_grants from queues where name = '*')
    or exists (
      select from task as shown
      where shown.id = signals.task and shown.row_id = any (rows_of(array[signals.task])));

-- awaited_task — which tasks wait for the end of which: parents for children, and tasks for those they come after

create view awaited_task as
  select awaited as task, waiter, name
  from awaits
  where (select not has_grants from queues where name = '*')
    or exists (
      select from task as shown
      where shown.id = awaits.waiter and shown.row_id = any (rows_of(array[awaits.waiter])));
