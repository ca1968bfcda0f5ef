-- every_in_words() — an interval as an English sentence
--
-- Days and months count from the anchor, so it is named; hours and minutes are real time.

create or replace function every_in_words(p_every interval, p_zone text, p_anchor timestamptz)
  returns text
  language plpgsql
  stable
as $$
begin
  if p_every = interval '1 day' and extract(day from p_every) = 1 then
    return format('Every day at %s', clock_in_words(p_anchor at time zone p_zone)) || zone_in_words(p_zone);
  end if;
  return 'Every ' || regexp_replace(interval_in_words(p_every), '^1 (?=[[:alpha:]]+$)', '') || case
    when is_real_time(p_every) then ''
    else ', counted from ' || moment_in_words(p_anchor, p_zone)
  end;
end;
$$;
