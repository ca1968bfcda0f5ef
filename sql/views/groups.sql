-- group_stats — the limits of each group and how much of them is in use
--
-- A group without limits is counted nowhere: it is shown while tasks of it run.

create view group_stats as
  select name as group_name, running, max_running, gap, gap_from, rate, rate_window, rate_left, weight, paused_at,
         next_start_at,
         (select count(*)
          from (select from tasks where parked_on = groups.name limit 10000) as parked)::integer as parked
  from groups
  where left(name, 1) <> '@'
  union all
  select named.name, count(*)::integer, null, null, 'start', null, null, null, 1, null, null, 0
  from claims
  -- Tasks of groups are not packed: each has its row.
  cross join lateral unnest(claims.tasks) as held (id)
  join tasks on tasks.id = held.id and tasks.claim = claims.id
  cross join lateral unnest(tasks.groups) as named (name)
  where claims.has_uncounted and not exists (select from groups where groups.name = named.name)
  group by named.name;
