-- stored_task — every task there is, hot and finished as one, with the state people see
--
-- Granted to no role: people read task and own_task, which show what the reader may see.
--
-- A password in the connection string of a SQL task is not shown. Spelled out, because a
-- reader of a view needs the right to every function it calls.

create view stored_task as
  select tasks.id,
         case
           when tasks.claim is not null then 'running'
           when tasks.run_at > clock_timestamp() then case when tasks.attempt = 0 then 'scheduled' else 'retrying' end
           when tasks.parked_on is not null or queues.paused_at is not null
             or (own.max_running <= own.running) or own.next_start_at > clock_timestamp()
             or exists (
               select from groups as held
               where held.name = any (tasks.groups)
                 and (held.paused_at is not null or held.next_start_at > clock_timestamp()
                      or held.running >= coalesce(tasks.max_running, held.max_running, queues.group_max_running, common.group_max_running))
             ) then 'blocked'
           else 'ready'
         end as state,
         null::text as reason,
         tasks.queue, tasks.kind, tasks.handler, tasks.key, tasks.groups, tasks.tags, tasks.priority, tasks.version,
         tasks.attempt, coalesce(tasks.max_attempts, queues.max_attempts, common.max_attempts) as max_attempts,
         tasks.iteration, tasks.parent, tasks.submitted_by, tasks.created_at, tasks.run_at, tasks.started_at,
         null::timestamptz as finished_at, null::timestamptz as keep_until, tasks.deadline, tasks.timeout,
         tasks.claim, claims.worker, claims.claimed_at, claims.expires_at as lease_expires_at,
         tasks.parked_on as waits_for, tasks.progress, tasks.meta,
         hide_password(tasks.kind, tasks.payload) as payload,
         null::jsonb as output, null::jsonb as error
  from tasks
  join queues as common on common.name = '*'
  left join queues on queues.name = tasks.queue
  left join groups as own on queues.is_counted and own.name = '@' || tasks.queue
  left join claims on claims.id = tasks.claim
  union all
  select id, state, reason, queue, kind, handler, key, groups, tags, priority, version, attempt, max_attempts, iteration,
         parent, submitted_by, created_at, run_at, started_at, finished_at, keep_until, deadline, timeout, null, worker,
         null, null, null, null, meta,
         hide_password(kind, payload) as payload,
         output, error
  from finished;
