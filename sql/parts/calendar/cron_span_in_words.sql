-- cron_span_in_words() — seconds, minutes and hours that are too many to be named one by one

create or replace function cron_span_in_words(p_seconds integer[], p_minutes integer[], p_hours integer[])
  returns text
  language plpgsql
  stable
as $$
declare
  v_is_hourly   boolean := cardinality(p_hours) = 24;
  v_is_minutely boolean := cardinality(p_minutes) = 60;
  v_every       text;
  v_hours       text := '';
begin
  if not v_is_hourly then
    v_hours := case
      when cardinality(p_hours) = 1 or even_step(p_hours) = 1 then format(
        ' from %s through %s', to_char(make_time(p_hours[1], 0, 0), 'HH24:MI'),
        to_char(make_time(p_hours[cardinality(p_hours)], 59, 0), 'HH24:MI'))
      else ' during ' || units_in_words('hour', p_hours)
    end;
  end if;
  if p_seconds = array[0] then
    v_every := cron_every('minute', p_minutes, 60);
    if v_every is not null then
      return v_every || v_hours;
    end if;
    v_every := 'at ' || units_in_words('minute', p_minutes);
  else
    v_every := cron_every('second', p_seconds, 60);
    if v_is_minutely then
      return coalesce(v_every, 'at ' || units_in_words('second', p_seconds) || ' of every minute') || v_hours;
    end if;
    v_every := coalesce(v_every || ' during ', 'at ' || units_in_words('second', p_seconds) || ' of ')
      || units_in_words('minute', p_minutes);
  end if;
  return v_every || ' of ' || case when v_is_hourly then 'every hour' else units_in_words('hour', p_hours) end;
end;
$$;
