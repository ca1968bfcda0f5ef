-- refresh_rate() — how many starts a group's rate still allows in the running window
--
-- The starts of a window are kept as (time, count), one pair per hundredth of the
-- window, dated at its last start: so no window ever sees more than the rate, and
-- at most a hundredth of it goes unused. A claim that waited for the group's row
-- may be dated before one that overtook it, so one window more is remembered.

create or replace function refresh_rate(p_group groups, p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_times  timestamptz[];
  v_counts integer[];
  v_left   integer;
  v_first  timestamptz;
begin
  select coalesce(array_agg(past.at order by past.at), '{}'), coalesce(array_agg(past.n order by past.at), '{}'),
         p_group.rate - coalesce(sum(past.n) filter (where past.at > p_now - p_group.rate_window), 0),
         min(past.at) filter (where past.at > p_now - p_group.rate_window)
  into v_times, v_counts, v_left, v_first
  from unnest(p_group.start_times, p_group.start_counts) as past (at, n)
  where past.at > p_now - 2 * p_group.rate_window;

  update groups
  set start_times   = v_times,
      start_counts  = v_counts,
      rate_left     = greatest(v_left, 0),
      next_start_at = case
        when v_left <= 0 then greatest(next_start_at, v_first + rate_window)
        else next_start_at
      end
  where name = p_group.name;
end;
$$;
