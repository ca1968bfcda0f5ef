-- cron_item() — sets the bits of one item of a field's list: 5, 1-5, */15, MON, L, 15W, FRI#2

create or replace function cron_item(p_cron varbit[], p_text text, p_field integer, p_item text)
  returns varbit[]
  language plpgsql
  stable
as $$
declare
  c_low    constant integer[] := array[0, 0, 0, 1, 1, 0];
  c_size   constant integer[] := array[60, 60, 24, 31, 12, 7];
  v_low    integer := c_low[p_field];
  v_size   integer := c_size[p_field];
  v_parts  text[] := regexp_match(p_item, '^([*?]|[0-9]+|[A-Z]+)(?:-([0-9]+|[A-Z]+))?(?:/([0-9]+))?$');
  v_odd    varbit[];
  v_from   integer;
  v_to     integer;
  v_step   integer;
begin
  v_odd := cron_odd_item(p_cron, p_text, p_field, p_item);
  if v_odd is not null then
    return v_odd;
  end if;
  if v_parts is null or (v_parts[1] in ('*', '?') and v_parts[2] is not null) then
    perform refuse_cron(p_text, p_field, case p_item when '' then 'has an empty place in its list' else format('cannot be %s', p_item) end);
  end if;
  if v_parts[1] in ('*', '?') then
    v_from := v_low;
    v_to := v_low + v_size - 1;
  else
    v_from := cron_value(p_text, p_field, v_parts[1]);
    v_to := case
      when v_parts[2] is not null then cron_value(p_text, p_field, v_parts[2])
      when v_parts[3] is not null then v_low + v_size - 1
      else v_from
    end;
  end if;
  v_step := cron_step(p_text, p_field, v_parts[3], v_size);
  if v_to < v_from then
    -- Months and weekdays go round: NOV-FEB, FRI-MON.
    if p_field < 5 then
      perform refuse_cron(p_text, p_field, format('range %s runs backwards', p_item));
    end if;
    v_to := v_to + v_size;
  end if;
  for v_value in v_from..v_to by v_step loop
    p_cron[p_field] := set_bit(p_cron[p_field], (v_value - v_low) % v_size, 1);
  end loop;
  return p_cron;
end;
$$;
