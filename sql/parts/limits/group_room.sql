-- group_room() — how many more tasks of a group may start right now
--
-- Null means as many as you like. The limit given with a task (p_own) goes before
-- the group's, which goes before what the queue says for all groups (p_common).
-- The caller holds the group's row and has called refresh_rates().
-- One expression, so that Postgres inlines it.

create or replace function group_room(p_group groups, p_own integer, p_common integer, p_now timestamptz)
  returns integer
  language sql
  immutable
as $$
  select case
    when p_group.paused_at is not null or p_group.next_start_at > p_now then 0
    else least(
      -- greatest() passes over nulls, so no limit has to be told apart from a limit of nothing.
      case when coalesce(p_own, p_group.max_running, p_common) is not null then
        greatest(coalesce(p_own, p_group.max_running, p_common) - p_group.running, 0)
      end,
      case when p_group.gap > interval '0' then 1 end,
      p_group.rate_left
    )
  end;
$$;
