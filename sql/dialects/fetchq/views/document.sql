-- document — every document of every queue, with the columns and numbers of Fetchq
--
-- Over tables alone: each <queue>__docs is made from this text.

create view document as
  select keys.queue::varchar as queue, keys.key::varchar as subject, tasks.version, tasks.priority,
         case when tasks.claim is not null then 2 when planned.task is not null then 0 else 1 end as status,
         tasks.attempt as attempts, tasks.iteration + coalesce(rounds.rejects, 0) as iterations,
         coalesce(claims.expires_at, tasks.run_at) as next_iteration, null::timestamptz as lock_upgrade,
         tasks.created_at, rounds.last_iteration, tasks.payload, tasks.id as task
  from keys
  join tasks on tasks.id = keys.task
  left join claims on claims.id = tasks.claim
  left join planned on planned.task = tasks.id
  left join rounds on rounds.task = tasks.id
  where tasks.kind = 'document'
  union all
  select finished.queue::varchar, finished.key::varchar, finished.version, finished.priority,
         case finished.state when 'done' then 3 else -1 end,
         case when finished.state = 'done' or finished.reason in ('killed', 'aborted') then 0 else finished.attempt end,
         finished.iteration + coalesce(rounds.rejects, 0)
           + case when finished.state = 'done' or finished.reason = 'killed' then 1 else 0 end,
         coalesce(
           rounds.next_iteration,
           case finished.state when 'done' then timestamptz '2970-01-01 00:00:00+00' else finished.run_at end),
         null, finished.created_at,
         case when finished.state = 'done' or finished.reason in ('killed', 'rejected') then finished.finished_at
              else rounds.last_iteration end,
         case finished.state when 'done' then coalesce(finished.output, finished.payload) else finished.payload end,
         finished.id
  from finished
  left join rounds on rounds.task = finished.id
  where finished.kind = 'document' and finished.key is not null;
