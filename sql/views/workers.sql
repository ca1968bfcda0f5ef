-- worker — the processes that run tasks, and what they hold

create view worker as
  select workers.id, workers.host, workers.pid, workers.version, workers.door, workers.queues, workers.kinds,
         workers.handlers, workers.versions_from, workers.versions_to, workers.slots, workers.started_at,
         workers.beat_at, clock_timestamp() - workers.beat_at as silent_for, workers.draining_at, workers.state,
         coalesce(held.claims, 0)::integer as claims, coalesce(held.tasks, 0)::integer as tasks,
         exists (select from sleepers where sleepers.worker = workers.id and until > clock_timestamp()) as asleep
  from workers
  left join (
    select worker, count(*) as claims, sum(open) as tasks from claims group by worker
  ) as held on held.worker = workers.id;
