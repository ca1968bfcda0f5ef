-- error_group — failures that say the same, per queue: what, how often, since when, and which task was the last
--
-- Of the queues that the reader may operate, as in task.
--
-- page_tasks() finds the tasks of a group by its fingerprint, as `error`.

create view error_group as
  select error_groups.fingerprint, error_groups.queue, error_groups.code, error_groups.message, error_groups.sample,
         error_groups.reason, error_groups.count, coalesce(recent.hour, 0) as last_hour, coalesce(recent.day, 0) as last_day,
         error_groups.first_at, error_groups.last_at, error_groups.last_task
  from error_groups
  left join lateral (
    select sum(n) filter (where error_counts.hour > clock_timestamp() - interval '2 hours')::bigint as hour, sum(n)::bigint as day
    from error_counts
    where error_counts.fingerprint = error_groups.fingerprint and error_counts.queue = error_groups.queue
      and error_counts.hour > clock_timestamp() - interval '25 hours'
  ) as recent on true
  where (select not has_grants from queues where name = '*')
    or coalesce((
      select bool_or(may_operate)
      from reader_grant as held
      where held.queue = error_groups.queue
        or (right(held.queue, 1) = '*' and starts_with(error_groups.queue, left(held.queue, -1)))), true);
