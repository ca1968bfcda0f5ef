-- next_every() — the first instant after p_after on the grid of an interval, which begins at p_anchor
--
-- Found by counting, however long ago the anchor is. Without days and months in it, the
-- interval is real time: 24 hours are 24 hours. With them it steps through the zone's
-- calendar, so that 1 day is the same time of day, and each time comes as
-- first_showing() says. Null beyond the year 9998.

create or replace function next_every(p_every interval, p_zone text, p_anchor timestamptz, p_after timestamptz)
  returns timestamptz
  language plpgsql
  stable
as $$
begin
  if p_after < p_anchor then
    return p_anchor;
  end if;
  if p_after > '9999-01-01' then
    return null;
  end if;
  if is_real_time(p_every) then
    return p_anchor
      + p_every * (floor(extract(epoch from p_after - p_anchor) / extract(epoch from p_every)) + 1)::double precision;
  end if;
  return first_showing(every_match(p_every, p_anchor at time zone p_zone, latest_shown(p_after, p_zone)), p_zone);
end;
$$;
