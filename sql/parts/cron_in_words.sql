-- cron_in_words() — a parsed cron expression as an English sentence

create or replace function cron_in_words(p_cron varbit[], p_zone text)
  returns text
  language plpgsql
  stable
as $$
begin
  return format('At times of the calendar%s', zone_in_words(p_zone));
end;
$$;
