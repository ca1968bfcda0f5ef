-- cron_every() — every minute; every 5 minutes; null when the numbers do not go round the unit evenly

create or replace function cron_every(p_unit text, p_numbers integer[], p_size integer)
  returns text
  language plpgsql
  stable
as $$
declare
  v_step integer := even_step(p_numbers);
begin
  if p_numbers[1] <> 0 or v_step is null or v_step * cardinality(p_numbers) <> p_size then
    return null;
  end if;
  return case v_step when 1 then format('every %s', p_unit) else format('every %s %ss', v_step, p_unit) end;
end;
$$;
