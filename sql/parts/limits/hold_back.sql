-- hold_back() — no task of a group starts before p_until
--
-- Tasks that wait are dated by whoever claims or hands over, as for a gap. The
-- caller holds the group's row, because one of its tasks has just ended.

create or replace function hold_back(p_group text, p_until timestamptz)
  returns void
  language sql
as $$
  update groups set next_start_at = greatest(next_start_at, p_until) where name = p_group;
$$;
