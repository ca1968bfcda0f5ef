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
