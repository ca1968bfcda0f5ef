-- clock_change() — when the clocks of a zone were changed between two instants
--
-- Instants are timestamps of UTC here and in the parts around it: they can be counted
-- with, whatever the session's TimeZone. The offset at p_to must differ from the one at
-- p_from. Halves the span until one second is left: 18 steps for two days.

create or replace function clock_change(p_zone text, p_from timestamp, p_to timestamp)
  returns timestamp
  language plpgsql
  stable
as $$
declare
  v_offset interval := (p_from at time zone 'UTC') at time zone p_zone - p_from;
  v_from   timestamp := date_trunc('second', p_from);
  v_to     timestamp := date_trunc('second', p_to);
  v_middle timestamp;
begin
  while v_to - v_from > interval '1 second' loop
    v_middle := v_from + date_trunc('second', (v_to - v_from) / 2);
    if (v_middle at time zone 'UTC') at time zone p_zone - v_middle = v_offset then
      v_from := v_middle;
    else
      v_to := v_middle;
    end if;
  end loop;
  return v_to;
end;
$$;
