-- Cron expressions: the days and times of day they name.

-- cron_match() — the first local time after p_local that a cron expression names
--
-- A matter of the calendar alone: whether the clocks of a zone ever show that time, or
-- show it twice, is next_cron()'s question.

create or replace function cron_match(p_cron varbit[], p_local timestamp)
  returns timestamp
  language plpgsql
  stable
as $$
declare
  v_from timestamp := date_trunc('second', p_local) + interval '1 second';
  v_day  date := cron_day(p_cron, v_from::date);
  v_time time;
begin
  if v_day = v_from::date then
    v_time := cron_time(p_cron, v_from::time);
    if v_time is null then
      v_day := cron_day(p_cron, v_day + 1);
    end if;
  end if;
  return v_day + coalesce(v_time, cron_time(p_cron, '00:00'));
end;
$$;

-- cron_day() — the first day, from p_from on, on which a cron expression comes
--
-- Looks for 50 years: the rarest one, 29 February on a given weekday, is 40 years away
-- when a century without a leap year lies between.

create or replace function cron_day(p_cron varbit[], p_from date)
  returns date
  language plpgsql
  stable
as $$
declare
  v_month date := date_trunc('month', p_from)::date;
  v_last  date := p_from + interval '50 years';
  v_skip  integer := p_from - v_month;
  v_at    integer;
begin
  while v_month <= v_last loop
    if get_bit(p_cron[5], extract(month from v_month)::integer - 1) = 1 then
      v_at := position(B'1' in substring(cron_days(p_cron, v_month) from v_skip + 1));
      if v_at > 0 then
        return v_month + v_skip + v_at - 1;
      end if;
    end if;
    v_month := v_month + interval '1 month';
    v_skip := 0;
  end loop;
  return null;
end;
$$;

-- cron_days() — the days of one month on which a cron expression comes, as bits
--
-- p_month is the first of the month; the answer has one bit per day of it. Days of the
-- month and days of the week, both given, count each for themselves, as in classic cron.

create or replace function cron_days(p_cron varbit[], p_month date)
  returns varbit
  language plpgsql
  stable
as $$
declare
  c_none   constant varbit := repeat('0', 31)::varbit;
  v_length integer := extract(day from p_month + interval '1 month' - interval '1 day');
  v_first  integer := extract(dow from p_month);
  v_week   varbit := p_cron[6];
  v_days   varbit := p_cron[4];
begin
  if position(B'0' in v_week) > 0 then
    v_days := case when position(B'0' in v_days) > 0 then v_days else c_none end
      | substring(v_week || v_week || v_week || v_week || v_week || v_week from v_first + 1 for 31);
  end if;
  v_days := substring(v_days from 1 for v_length);
  if position(B'1' in p_cron[7] || p_cron[8] || p_cron[9]) > 0 then
    v_days := v_days | cron_odd_days(p_cron, v_length, v_first);
  end if;
  return v_days;
end;
$$;

-- cron_odd_days() — the days that L, W and # mean in a month of p_length days
--
-- p_first is the weekday of the 1st, 0 for Sunday. A day that the month lacks (L-30 in
-- February, the fifth Monday, 31W in June) is left out, not moved.

create or replace function cron_odd_days(p_cron varbit[], p_length integer, p_first integer)
  returns varbit
  language plpgsql
  stable
as $$
declare
  v_days varbit := substring(repeat('0', 31)::varbit from 1 for p_length);
  v_day  integer;
begin
  for v_bit in 0..30 loop
    if v_bit < p_length and get_bit(p_cron[7], v_bit) = 1 then
      v_days := set_bit(v_days, p_length - v_bit - 1, 1);
    end if;
  end loop;
  for v_bit in 0..31 loop
    -- The last bit is LW: the weekday nearest to the last day, which is never after it.
    v_day := case v_bit when 31 then p_length else v_bit + 1 end;
    if v_day <= p_length and get_bit(p_cron[8], v_bit) = 1 then
      v_days := set_bit(v_days, nearest_weekday(v_day, p_length, p_first) - 1, 1);
    end if;
  end loop;
  for v_bit in 0..41 loop
    if get_bit(p_cron[9], v_bit) = 1 then
      v_day := 1 + (v_bit % 7 - p_first + 7) % 7 + 7 * (v_bit / 7);
      -- The sixth week stands for the last one.
      if v_bit / 7 = 5 then
        v_day := case when v_day - 7 <= p_length then v_day - 7 else v_day - 14 end;
      end if;
      if v_day <= p_length then
        v_days := set_bit(v_days, v_day - 1, 1);
      end if;
    end if;
  end loop;
  return v_days;
end;
$$;

-- nearest_weekday() — the day from Monday to Friday that is nearest to a day, in the same month

create or replace function nearest_weekday(p_day integer, p_length integer, p_first integer)
  returns integer
  language plpgsql
  stable
as $$
begin
  return case (p_first + p_day - 1) % 7
    when 6 then case when p_day = 1 then 3 else p_day - 1 end
    when 0 then case when p_day = p_length then p_day - 2 else p_day + 1 end
    else p_day
  end;
end;
$$;

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
