-- schedule_in_words() — when a schedule comes, as an English sentence

create or replace function schedule_in_words(p_schedule schedules)
  returns text
  language plpgsql
  stable
as $$
begin
  return case
    when p_schedule.cron is not null then cron_in_words(p_schedule.bits, p_schedule.zone)
    when p_schedule.at is not null then at_in_words(p_schedule.at, p_schedule.zone)
    when p_schedule.drift = 'finished' then interval_in_words(p_schedule.every) || ' after the last run has ended'
    else every_in_words(p_schedule.every, p_schedule.zone, p_schedule.anchor)
  end;
end;
$$;
