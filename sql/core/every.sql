-- Intervals as schedules: the next instant on their grid.

-- next_every() — the first instant after p_after on the grid of an interval, which begins at p_anchor
--
-- Found by counting, however long ago the anchor is. Without days and months in it, the
-- interval is real time: 24 hours are 24 hours. With them it steps through the zone's
-- calendar, so that 1 day is the same time of day, and each time comes as
-- first_instant_showing() says. Null beyond the year 9998.

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
  return first_instant_showing(
    every_match(p_every, p_anchor at time zone p_zone, latest_local_time(p_after, p_zone)), p_zone);
end;
$$;

-- every_match() — the first local time after p_shown on the grid of an interval with days or months
--
-- Times are counted from the start, never from the last one, so that 1 month after
-- 31 January is the last of February, then 31 March.

create or replace function every_match(p_every interval, p_start timestamp, p_shown timestamp)
  returns timestamp
  language plpgsql
  stable
as $$
declare
  v_low  bigint := 0;
  v_high bigint;
  v_try  bigint;
begin
  -- Some more than there can be: a month counts as 30 days here and may have 28.
  v_high := greatest(0, 1 + ceil(extract(epoch from p_shown - p_start) / extract(epoch from p_every) * 1.1));
  while v_low < v_high loop
    v_try := (v_low + v_high) / 2;
    if p_start + p_every * v_try > p_shown then
      v_high := v_try;
    else
      v_low := v_try + 1;
    end if;
  end loop;
  return p_start + p_every * v_low;
end;
$$;

-- is_real_time() — whether an interval is of hours, minutes and seconds alone, which no calendar changes

create or replace function is_real_time(p_every interval)
  returns boolean
  language plpgsql
  stable
as $$
begin
  return extract(year from p_every) = 0 and extract(month from p_every) = 0 and extract(day from p_every) = 0;
end;
$$;

-- check_every() — refuses an interval that cannot be a schedule's
--
-- A second is what firing can keep to. A negative part (1 month less 1 day) would let
-- the times run backwards somewhere in the calendar.

create or replace function check_every(p_every interval)
  returns void
  language plpgsql
  stable
as $$
begin
  if p_every is null then
    perform refuse('TK004', 'every must not be null', 'Write an interval such as 15 minutes, 1 day or 3 months.');
  end if;
  -- Compared as a whole first: an infinite interval, known since Postgres 17, has no parts.
  if p_every > interval '100 years' then
    perform refuse('TK004', format('every %s is longer than 100 years', p_every), 'Use at for a single time.');
  end if;
  if extract(year from p_every) < 0 or extract(month from p_every) < 0 or extract(day from p_every) < 0
     or extract(hour from p_every) < 0 or extract(minute from p_every) < 0 or extract(second from p_every) < 0 then
    perform refuse('TK004', format('every %s has a negative part', p_every),
                   'Write an interval such as 15 minutes, 1 day or 3 months.');
  end if;
  if p_every < interval '1 second' then
    perform refuse('TK004', format('every %s is shorter than 1 second', p_every),
                   'A schedule comes at most once a second; let its task do more at a time.');
  end if;
end;
$$;
