-- document — every document of every queue, with the columns and numbers of Fetchq
--
-- Over tables, and views that upgrades do not drop: each <queue>__docs is made from this text.

create view document as
  select task_key.queue::varchar as queue, task_key.key::varchar as subject, live_task.version, live_task.priority,
         case when live_task.claim is not null then 2 when planned.task is not null then 0 else 1 end as status,
         live_task.attempt as attempts, live_task.iteration + coalesce(rounds.rejects, 0) as iterations,
         coalesce(task_claim.expires_at, live_task.run_at) as next_iteration, null::timestamptz as lock_upgrade,
         live_task.created_at, rounds.last_iteration, live_task.payload, live_task.id as task
  from task_key
  join live_task on live_task.id = task_key.task and live_task.queue = task_key.queue
  left join task_claim on task_claim.id = live_task.claim
  left join planned on planned.task = live_task.id
  left join rounds on rounds.task = live_task.id
  where live_task.kind = 'document'
  union all
  select ended_task.queue::varchar, ended_task.key::varchar, ended_task.version, ended_task.priority,
         case ended_task.state when 'done' then 3 else -1 end,
         case when ended_task.state = 'done' or ended_task.reason in ('killed', 'aborted') then 0
              else ended_task.attempt end,
         ended_task.iteration + coalesce(rounds.rejects, 0)
           + case when ended_task.state = 'done' or ended_task.reason = 'killed' then 1 else 0 end,
         coalesce(
           rounds.next_iteration,
           case ended_task.state when 'done' then timestamptz '2970-01-01 00:00:00+00' else ended_task.run_at end),
         null, ended_task.created_at,
         case when ended_task.state = 'done' or ended_task.reason in ('killed', 'rejected') then ended_task.finished_at
              else rounds.last_iteration end,
         case when ended_task.kind = 'document' and ended_task.state = 'done'
              then coalesce(ended_task.output, ended_task.payload) else ended_task.payload end,
         ended_task.id
  from ended_task
  left join rounds on rounds.task = ended_task.id
  where ended_task.kind = 'document' and ended_task.key is not null;
