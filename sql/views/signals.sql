-- awaited_signal — signals that tasks wait for without a time-out; of queues that the reader may operate
--
-- One row per queue and name: how many tasks wait, since when the first of them does, and which it is. At most
-- 10,000 tasks per priority are looked at, and of fair queues as many in all. A task that waits for no time has
-- the run_at of never(), which is spelled out because a reader of a view needs the right to every function it calls.

create view awaited_signal as
  with asleep as (
    select used.queue, found.id, found.waits
    from (select distinct queue, priority from lanes) as used
    cross join lateral (
      select id, waits from tasks
      where tasks.queue = used.queue and parked_on is null and turn is null and priority = used.priority
        and run_at >= timestamptz '9999-12-31 00:00:00+00'
      order by run_at
      limit 10000
    ) as found
    union all
    select few.queue, few.id, few.waits
    from (select queue, id, waits, run_at from tasks where turn is not null limit 10000) as few
    where few.run_at >= timestamptz '9999-12-31 00:00:00+00'
  )
  select asleep.queue, signal.name, count(*)::integer as tasks, min(since.at) as since,
         (array_agg(asleep.id order by since.at, asleep.id))[1] as task
  from asleep
  cross join lateral jsonb_array_elements_text(asleep.waits -> 'signals') as signal (name)
  cross join lateral (select (asleep.waits ->> 'since')::timestamptz as at) as since
  where (select not has_grants from queues where name = '*')
    or coalesce((
      select bool_or(may_operate)
      from reader_grant as held
      where held.queue = asleep.queue
        or (right(held.queue, 1) = '*' and starts_with(asleep.queue, left(held.queue, -1)))), true)
  group by asleep.queue, signal.name;
