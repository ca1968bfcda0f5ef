-- cron_value() — the number that a value of a field means; names are numbers of months and weekdays

create or replace function cron_value(p_text text, p_field integer, p_value text)
  returns integer
  language plpgsql
  stable
as $$
declare
  c_low      constant integer[] := array[0, 0, 0, 1, 1, 0];
  c_high     constant integer[] := array[59, 59, 23, 31, 12, 7];
  c_months   constant text[] := array['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
  c_weekdays constant text[] := array['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
  v_value    integer;
begin
  if p_value !~ '^[0-9]+$' then
    v_value := case p_field
      when 5 then array_position(c_months, p_value)
      when 6 then array_position(c_weekdays, p_value) - 1
    end;
    if v_value is null then
      perform refuse_cron(p_text, p_field, format('cannot be %s', p_value));
    end if;
    return v_value;
  end if;
  if length(p_value) > 9 or p_value::integer not between c_low[p_field] and c_high[p_field] then
    perform refuse_cron(p_text, p_field, format('%s is out of %s–%s', p_value, c_low[p_field], c_high[p_field]));
  end if;
  return p_value;
end;
$$;
