-- cron_weekdays_in_words() — weekdays; weekends; Mondays and Thursdays; null when there are none

create or replace function cron_weekdays_in_words(p_cron varbit[])
  returns text
  language plpgsql
  stable
as $$
declare
  c_names constant text[] := array['Sundays', 'Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays'];
begin
  return case p_cron[6]
    when B'0000000' then null
    when B'0111110' then 'weekdays'
    when B'1000001' then 'weekends'
    -- A week begins with Monday here.
    else and_list(array(
      select c_names[place + 1] from unnest(bit_places(p_cron[6])) as place order by (place + 6) % 7))
  end;
end;
$$;
