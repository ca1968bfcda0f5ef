-- lost_holders() — finds sessions that hold tasks whose lease is over
--
-- A worker that vanished between its completion and its COMMIT leaves a session that
-- keeps the task, and with it its groups, locked; rescue() passes by what is locked.
-- Answers the processes and how many tasks each holds. It ends none of them: who may,
-- and whether the session is idle, is for the caller to see. Normally no claim is over
-- for that long, and it reads one page of an index.

create or replace function lost_holders(p_over interval default '5 seconds')
  returns table (pid integer, tasks bigint)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select pg_locks.pid, sum(tasks.size)
  from claims
  cross join lateral unnest(claimed_ids(claims)) as held (id)
  join tasks on tasks.id = any (array[held.id]) and tasks.claim = claims.id
  -- The one who changed or deleted the row and has not committed yet.
  join pg_locks on locktype = 'transactionid' and granted and transactionid = tasks.xmax
  -- Bounded, so that no interval leads out of the calendar.
  where claims.expires_at < clock_timestamp() - least(greatest(p_over, interval '0'), interval '1000 years')
    and tasks.xmax <> '0'
  group by pg_locks.pid
$$;
