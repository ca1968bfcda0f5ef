-- chore_locks — the advisory locks by which chores are led, and the sessions that hold them

create view chore_locks as
  select chores.name as chore, pg_locks.pid,
         substring(pg_stat_activity.application_name from '^tusk chores (.*)$') as worker
  from chores
  join pg_locks on pg_locks.locktype = 'advisory' and pg_locks.objsubid = 2 and pg_locks.granted
    and pg_locks.database = (select oid from pg_database where datname = current_database())
    and pg_locks.classid::bigint = chores.lock_class::bigint & 4294967295
    and pg_locks.objid::bigint = hashtext(chores.name)::bigint & 4294967295
  left join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid;

-- leader — who does which chore, now, whatever the strategy
--
-- One row for a chore that is led by a lease or by an advisory lock; for the others
-- one per worker that did it lately. For an advisory lock the server's own list of
-- locks says who holds it, and `backend` is the session that does.

create view leader as
  select led.chore, led.strategy, led.worker, workers.host, workers.pid, led.backend, led.term, led.acquired_at,
         led.renewed_at, led.expires_at, clock_timestamp() - led.acquired_at as leads_for,
         clock_timestamp() - led.renewed_at as heartbeat_age
  from (
    select name as chore, strategy, holder as worker, null::integer as backend, term, acquired_at,
           renewed_at, expires_at
    from chores
    where expires_at > clock_timestamp() and holder is not null
    union all
    select chores.name, 'advisory', coalesce(chore_locks.worker, chores.holder), chore_locks.pid, chores.term,
           chores.acquired_at, chores.renewed_at, null
    from chores
    join chore_locks on chore_locks.chore = chores.name
    union all
    select chores.name, chores.strategy, chore_runs.worker, null, null, null, chore_runs.last_run_at, null
    from chores
    join chore_runs on chore_runs.chore = chores.name and chore_runs.worker <> ''
    where chores.strategy in ('all', 'skip-locked')
      and chore_runs.last_run_at > clock_timestamp() - 3 * chores.every - interval '1 minute'
      and exists (select from workers where id = chore_runs.worker)
  ) as led
  left join workers on workers.id = led.worker;

-- chore_health — how each chore went, over all workers, and whether a worker leads it

create view chore_health as
  select chores.name as chore, chores.strategy, chores.every, chores.timeout, chores.ttl, chores.registered_at,
         done.last_run_at, done.last_ok_at, coalesce(done.runs, 0)::bigint as runs,
         coalesce(done.processed, 0)::bigint as processed, coalesce(done.errors, 0)::bigint as errors,
         done.last_error_at, done.last_error, done.total_ms / nullif(done.runs, 0) as average_ms,
         done.max_ms as longest_ms,
         case chores.strategy
           when 'lease' then chores.holder is not null and chores.expires_at > clock_timestamp()
           when 'advisory' then exists (select from chore_locks where chore_locks.chore = chores.name)
           else true
         end as is_led,
         chores.acquired_at,
         coalesce(case chores.strategy when 'advisory' then chores.renewed_at else chores.expires_at end,
                  chores.registered_at)
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

-- chore_alert — what is wrong with who does the chores; empty when all is well
--
-- orphaned: no worker has led it for three times the lease, or ever.
-- stalled:  a worker leads it, but no run has ended for three pauses,
--           or for as long as a run may take if that is more.
-- flapping: more than five terms within ten minutes ended by an error or ran out. A
--           term that ends by rotation, on request or with its worker never counts.

create view chore_alert as
  select chore, 'orphaned' as alert, led_until as since,
         format('No worker has led %s since %s. Start a worker that does chores.', chore, led_until) as explanation
  from chore_health
  where not is_led and led_until < clock_timestamp() - 3 * ttl
  union all
  select chore, 'stalled', active.at,
         format('%s is led, but no run of it has ended since %s. Look at the log of its leader, or ask it to resign.',
                chore, active.at)
  from chore_health
  cross join lateral (
    select greatest(last_run_at, registered_at, case when strategy in ('lease', 'advisory') then acquired_at end) as at
  ) as active
  where is_led and active.at < clock_timestamp() - greatest(3 * every, timeout)
  union all
  select chore, 'flapping', min(ended_at),
         format('%s changed hands %s times within ten minutes because a leader failed or could not renew.',
                chore, count(*))
  from terms
  where ended_at > clock_timestamp() - interval '10 minutes' and how in ('error', 'expired')
  group by chore
  having count(*) > 5;

-- chore_stats — every chore, how it goes and what is wrong with it

create view chore_stats as
  select chore, strategy, every, timeout, is_led, last_run_at, last_ok_at, runs, processed, errors, last_error_at,
         last_error, average_ms, longest_ms,
         (select string_agg(alert, ', ' order by alert) from chore_alert
          where chore_alert.chore = chore_health.chore) as alert
  from chore_health;
