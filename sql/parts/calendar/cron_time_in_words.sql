-- cron_time_in_words() — the seconds, minutes and hours of a cron expression in words
--
-- Few times are named one by one. Many are told from the smallest unit that varies to
-- the hour: every 10 seconds during minutes 0 through 4 of every hour.

create or replace function cron_time_in_words(p_cron varbit[])
  returns text
  language plpgsql
  stable
as $$
declare
  v_seconds integer[] := bit_places(p_cron[1]);
  v_minutes integer[] := bit_places(p_cron[2]);
  v_hours   integer[] := bit_places(p_cron[3]);
  v_step    integer := even_step(v_hours);
  v_times   text[];
begin
  if cardinality(v_seconds) = 1 and cardinality(v_hours) < 24 then
    v_times := array(
      select to_char(make_time(hour, minute, v_seconds[1]), case v_seconds[1] when 0 then 'HH24:MI' else 'HH24:MI:SS' end)
      from unnest(v_hours) as hour, unnest(v_minutes) as minute
      order by hour, minute
    );
    if cardinality(v_times) <= 6 then
      return 'at ' || and_list(v_times);
    end if;
    if cardinality(v_minutes) = 1 and v_step is not null then
      return format(
        'every %s from %s through %s',
        case v_step when 1 then 'hour' else v_step || ' hours' end, v_times[1], v_times[cardinality(v_times)]);
    end if;
  end if;
  if v_seconds = array[0] and v_minutes = array[0] and cardinality(v_hours) = 24 then
    return 'every hour';
  end if;
  return cron_span_in_words(v_seconds, v_minutes, v_hours);
end;
$$;
