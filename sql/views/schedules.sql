-- schedule — every schedule, when it comes, and what became of it last; of queues that the reader may operate

create view schedule as
  select schedules.name, schedules.zone, schedules.next_at, schedules.paused_at, schedules.pause_reason,
         case
           when schedules.error is not null then 'failing'
           when schedules.paused_at is not null then 'paused'
           when schedules.look_at is null then 'over'
           when schedules.next_at is null then 'running'
           else 'planned'
         end as state,
         last.planned_at as last_planned_at, last.recorded_at as last_recorded_at, last.outcome as last_outcome,
         last.reason as last_reason, schedules.fired_at as last_fired_at, schedules.fired_task as last_task,
         (select state from stored_task where id = schedules.fired_task) as last_task_state,
         schedules.error, schedules.failures, schedules.cron, schedules.every, schedules.at, schedules.anchor,
         schedules.starts_at, schedules.ends_at, schedules.jitter, schedules.misfire, schedules.misfire_after,
         schedules.catch_up,
         schedules.overlap, schedules.drift, schedules.keep, schedules.revision, schedules.created_by,
         schedules.created_at, schedules.set_by, schedules.token, schedules.updated_at,
         case when schedules.task ? 'payload'
              then jsonb_set(schedules.task, '{payload}',
                             hide_password(schedules.task ->> 'kind', schedules.task -> 'payload'))
              else schedules.task end as task
  from schedules
  left join lateral (
    select planned_at, recorded_at, outcome, reason
    from occurrences
    where schedule = schedules.name
    order by planned_at desc
    limit 1
  ) as last on true
  where (select not has_grants from queues where name = '*')
    or coalesce((
      select bool_or(may_operate)
      from reader_grant as held
      where held.queue = (schedules.task ->> 'queue')
        or (right(held.queue, 1) = '*' and starts_with((schedules.task ->> 'queue'), left(held.queue, -1)))), true);

-- occurrence — what became of each planned time of each schedule

create view occurrence as
  select schedule, planned_at, outcome, reason, origin, task, run_at, recorded_at, recorded_at - planned_at as late
  from occurrences;
