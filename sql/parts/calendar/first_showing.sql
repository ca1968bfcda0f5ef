-- first_showing() — the first instant at which the clocks of a zone show a time, or a later one
--
-- This is the whole rule for fixed times. A time that the clocks skip comes at the end
-- of the gap; a time that they show twice comes the first time.
--
-- 26 hours to either side hold every change that can matter: no two zones differ by more.

create or replace function first_showing(p_local timestamp, p_zone text)
  returns timestamptz
  language plpgsql
  stable
as $$
declare
  v_near   timestamp := (p_local at time zone p_zone) at time zone 'UTC';
  v_from   timestamp := v_near - interval '26 hours';
  v_to     timestamp := v_near + interval '26 hours';
  v_before interval := (v_from at time zone 'UTC') at time zone p_zone - v_from;
  v_after  interval := (v_to at time zone 'UTC') at time zone p_zone - v_to;
  v_change timestamp;
begin
  if v_before = v_after then
    return v_near at time zone 'UTC';
  end if;
  v_change := clock_change(p_zone, v_from, v_to);
  if p_local - v_before < v_change then
    return (p_local - v_before) at time zone 'UTC';
  end if;
  return greatest(v_change, p_local - v_after) at time zone 'UTC';
end;
$$;
