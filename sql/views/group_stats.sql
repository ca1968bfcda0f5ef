-- group_stats — the limits of each group and how much of them is in use

create view group_stats as
  select name as group_name, running, max_running, gap, gap_from, rate, rate_window, rate_left, weight, paused_at,
         next_start_at,
         (select count(*) from (select from tasks where parked_on = groups.name limit 10000) as parked)::integer as parked
  from groups
  where left(name, 1) <> '@';
