-- next_every() — the first instant after p_after on the grid of an interval, which begins at p_anchor
--
-- Times are counted from the anchor, never from the last one, and found in a few steps
-- however long ago that was. Without days and months in it, the interval is real time:
-- 24 hours are 24 hours. With them it steps through the zone's calendar, and each time
-- comes as first_showing() says: 1 day is the same time of day, and 1 month after
-- 31 January is the last of February, then 31 March.

create or replace function next_every(p_every interval, p_zone text, p_anchor timestamptz, p_after timestamptz)
  returns timestamptz
  language plpgsql
  stable
as $$
declare
  v_start timestamp := p_anchor at time zone p_zone;
  v_shown timestamp;
  v_low   bigint;
  v_high  bigint;
  v_try   bigint;
begin
  if p_after < p_anchor then
    return p_anchor;
  end if;
  if not isfinite(p_after) then
    return null;
  end if;
  if extract(year from p_every) = 0 and extract(month from p_every) = 0 and extract(day from p_every) = 0 then
    return p_anchor + p_every * (floor(extract(epoch from p_after - p_anchor) / extract(epoch from p_every)) + 1)::double precision;
  end if;
  v_shown := latest_shown(p_after, p_zone);
  -- The first number whose time is later lies between these two: a month has 28 to 31 days.
  v_low := 0;
  v_high := 1 + ceil(extract(epoch from v_shown - v_start) / extract(epoch from p_every) * 1.1);
  while v_low < v_high loop
    v_try := (v_low + v_high) / 2;
    if v_start + p_every * v_try > v_shown then
      v_high := v_try;
    else
      v_low := v_try + 1;
    end if;
  end loop;
  return first_showing(v_start + p_every * v_low, p_zone);
end;
$$;
