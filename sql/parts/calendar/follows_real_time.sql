-- follows_real_time() — whether a schedule comes whenever its time is shown, and never moves one that is not

create or replace function follows_real_time(p_schedule schedules)
  returns boolean
  language plpgsql
  stable
as $$
begin
  if p_schedule.cron is not null then
    return position(B'0' in p_schedule.bits[3]) = 0;
  end if;
  return is_real_time(p_schedule.every);
end;
$$;
