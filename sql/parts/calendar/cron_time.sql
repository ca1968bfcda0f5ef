-- cron_time() — the first time of day, from p_from on, at which a cron expression comes

create or replace function cron_time(p_cron varbit[], p_from time)
  returns time
  language plpgsql
  stable
as $$
declare
  v_hour   integer := extract(hour from p_from);
  v_minute integer := extract(minute from p_from);
  v_second integer := extract(second from p_from);
  v_at     integer;
begin
  -- From the smallest unit up: a unit without a place left carries one into the next.
  v_at := position(B'1' in substring(p_cron[1] from v_second + 1));
  if v_at > 0 and get_bit(p_cron[2], v_minute) = 1 and get_bit(p_cron[3], v_hour) = 1 then
    return make_time(v_hour, v_minute, v_second + v_at - 1);
  end if;
  v_second := position(B'1' in p_cron[1]) - 1;
  v_at := position(B'1' in substring(p_cron[2] from v_minute + 2));
  if v_at > 0 and get_bit(p_cron[3], v_hour) = 1 then
    return make_time(v_hour, v_minute + v_at, v_second);
  end if;
  v_minute := position(B'1' in p_cron[2]) - 1;
  v_at := position(B'1' in substring(p_cron[3] from v_hour + 2));
  if v_at > 0 then
    return make_time(v_hour + v_at, v_minute, v_second);
  end if;
  return null;
end;
$$;
