-- cron_days_in_words() — the days and months of a cron expression in words; null when it comes every day
--
-- Days of the month, days of the week and such as the first Monday are told apart, each
-- with the months: they count each for themselves.

create or replace function cron_days_in_words(p_cron varbit[])
  returns text
  language plpgsql
  stable
as $$
declare
  c_months   constant text[] := array[null, 'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August',
    'September', 'October', 'November', 'December'];
  v_months   text;
  v_of       text;
  v_dates    text;
  v_weekdays text;
  v_nth      text;
begin
  if position(B'0' in p_cron[5]) > 0 then
    v_months := numbers_in_words(bit_places(p_cron[5], 1), c_months);
  end if;
  v_of := ' of ' || coalesce(v_months, 'the month');
  if position(B'0' in p_cron[4]) > 0 then
    v_dates := 'on ' || cron_dates_in_words(p_cron) || v_of;
  end if;
  if position(B'0' in p_cron[6]) > 0 then
    v_weekdays := 'on ' || cron_weekdays_in_words(p_cron) || coalesce(' in ' || v_months, '');
    v_nth := 'on ' || cron_nth_in_words(p_cron) || v_of;
  end if;
  return coalesce(
    nullif(concat_ws(', and ', v_dates, v_weekdays, v_nth), ''),
    'in ' || v_months);
end;
$$;
