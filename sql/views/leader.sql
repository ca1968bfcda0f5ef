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
    select name as chore, strategy, holder as worker, null::integer as backend, term, acquired_at, renewed_at, expires_at
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
  ) as led
  left join workers on workers.id = led.worker;
