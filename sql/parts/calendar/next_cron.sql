-- next_cron() — the first instant after p_after at which a cron expression comes in a zone
--
-- p_cron is what parse_cron() answers. An expression for every hour follows real time:
-- it comes whenever the clocks show one of its times. One for certain hours comes once
-- for each of its times, whatever the clocks do: see first_showing(). Null when it does
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
  return first_showing(cron_match(p_cron, latest_shown(p_after, p_zone)), p_zone);
end;
$$;
