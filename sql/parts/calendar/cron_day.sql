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
