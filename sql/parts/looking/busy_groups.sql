-- busy_groups() — the groups that may keep a task of theirs from starting now
--
-- A task of no other group is ready when it is due. Whether one of these has room for a certain
-- task depends on that task too; the view task tells.

create or replace function busy_groups()
  returns text[]
  language sql
  stable
as $$
  select coalesce(array_agg(name), '{}')
  from groups
  where left(name, 1) <> '@' and (running > 0 or max_running = 0 or paused_at is not null or next_start_at > clock_timestamp());
$$;
