-- chore_health — how each chore went, over all workers, and whether anybody leads it

create view chore_health as
  select chores.name as chore, chores.strategy, chores.every, chores.timeout, chores.ttl, chores.registered_at,
         done.last_run_at, done.last_ok_at, coalesce(done.runs, 0)::bigint as runs,
         coalesce(done.processed, 0)::bigint as processed, coalesce(done.errors, 0)::bigint as errors,
         done.last_error_at, done.last_error, done.total_ms / nullif(done.runs, 0) as average_ms, done.max_ms as longest_ms,
         case chores.strategy
           when 'lease' then chores.holder is not null and chores.expires_at > clock_timestamp()
           when 'advisory' then exists (select from chore_locks where chore_locks.chore = chores.name)
           else true
         end as is_led,
         chores.acquired_at,
         coalesce(case chores.strategy when 'advisory' then chores.renewed_at else chores.expires_at end, chores.registered_at)
           as led_until
  from chores
  left join (
    select chore, max(last_run_at) as last_run_at, max(last_ok_at) as last_ok_at, sum(runs) as runs,
           sum(processed) as processed, sum(errors) as errors, max(last_error_at) as last_error_at,
           (array_agg(last_error order by last_error_at desc nulls last))[1] as last_error,
           sum(total_ms) as total_ms, max(max_ms) as max_ms
    from chore_runs
    group by chore
  ) as done on done.chore = chores.name;
