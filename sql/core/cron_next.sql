-- Cron expressions: the next instant in a time zone.

-- next_cron() — the first instant after p_after at which a cron expression comes in a zone
--
-- p_cron is what parse_cron() answers. An expression for every hour follows real time:
-- it comes whenever the clocks show one of its times. One for certain hours comes once
-- for each of its times, whatever the clocks do: see first_instant_showing(). Null when it does
-- not come within 50 years, or beyond the year 9998.

create or replace function next_cron(p_cron varbit[], p_zone text, p_after timestamptz)
  returns timestamptz
  language plpgsql
  stable
as $$
begin
  if p_after is null or p_after not between '0001-01-01' and '9999-01-01' then
    return null;
  end if;
  if position(B'0' in p_cron[3]) = 0 then
    return next_cron_hourly(p_cron, p_zone, p_after);
  end if;
  return first_instant_showing(cron_match(p_cron, latest_local_time(p_after, p_zone)), p_zone);
end;
$$;

-- next_cron_hourly() — next_cron() for expressions that name every hour
--
-- Goes from one change of the clocks to the next, and counts with one offset between
-- them. A time that is far away is not walked to: nothing comes before it, once a day
-- has passed in which the clocks might have been put back to an earlier one.

create or replace function next_cron_hourly(p_cron varbit[], p_zone text, p_after timestamptz)
  returns timestamptz
  language plpgsql
  stable
as $$
declare
  v_at     timestamp := p_after at time zone 'UTC';
  v_offset interval := (p_after at time zone p_zone) - v_at;
  v_match  timestamp := cron_match(p_cron, v_at + v_offset);
  v_next   timestamp;
  v_probe  timestamp;
  v_change timestamp;
begin
  while v_match is not null loop
    v_next := v_match - v_offset;
    v_probe := least(v_next, v_at + interval '26 hours');
    if (v_probe at time zone 'UTC') at time zone p_zone - v_probe <> v_offset then
      v_change := find_clock_change(p_zone, v_at, v_probe);
      v_offset := (v_change at time zone 'UTC') at time zone p_zone - v_change;
      v_at := v_change;
      v_match := cron_match(p_cron, v_change + v_offset - interval '1 microsecond');
    elsif v_next <= v_probe then
      return v_next at time zone 'UTC';
    else
      v_at := greatest(v_probe, v_next - interval '52 hours');
      v_offset := (v_at at time zone 'UTC') at time zone p_zone - v_at;
    end if;
  end loop;
  return null;
end;
$$;
