-- check_delays() — refuses a delay that leads beyond the calendar

create or replace function check_delays(p_delays interval[])
  returns void
  language plpgsql
as $$
declare
  v_delay interval;
begin
  foreach v_delay in array coalesce(p_delays, '{}') loop
    if v_delay not between interval '-4000 years' and interval '250000 years' then
      perform refuse('TK004', format('a delay of %s leads beyond the calendar', v_delay), 'Give an interval such as ''30 seconds''.');
    end if;
  end loop;
end;
$$;
