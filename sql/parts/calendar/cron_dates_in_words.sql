-- cron_dates_in_words() — the days of the month of a cron expression in words

create or replace function cron_dates_in_words(p_cron varbit[])
  returns text
  language plpgsql
  stable
as $$
declare
  c_names constant text[] := array(select ordinal(n) from generate_series(0, 31) as n order by n);
  v_dates integer[] := bit_places(p_cron[4], 1);
  v_step  integer := even_step(v_dates);
  v_items text[] := '{}';
  v_bit   integer;
begin
  if v_step > 1 and cardinality(v_dates) > 3 then
    v_items := v_items || format(
      'every %s day from the %s through the %s',
      ordinal(v_step), ordinal(v_dates[1]), ordinal(v_dates[cardinality(v_dates)]));
  elsif cardinality(v_dates) > 0 then
    v_items := v_items || ('the ' || numbers_in_words(v_dates, c_names));
  end if;
  foreach v_bit in array bit_places(p_cron[7]) loop
    v_items := v_items || case v_bit
      when 0 then 'the last day'
      when 1 then 'the day before the last'
      else format('the %s day before the last', ordinal(v_bit))
    end;
  end loop;
  foreach v_bit in array bit_places(p_cron[8]) loop
    v_items := v_items || case v_bit
      when 31 then 'the last weekday'
      else format('the weekday nearest to the %s', ordinal(v_bit + 1))
    end;
  end loop;
  return and_list(v_items);
end;
$$;
