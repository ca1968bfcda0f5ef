-- Cron expressions: one item of a field.

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
    perform refuse_cron(p_text, p_field, case p_item when '' then 'has an empty place in its list'
                                              else format('cannot be %s', p_item) end);
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

-- cron_odd_item() — sets the bit of an item with L, W or #; null when the item has none of them

create or replace function cron_odd_item(p_cron varbit[], p_text text, p_field integer, p_item text)
  returns varbit[]
  language plpgsql
  stable
as $$
declare
  v_parts text[];
  v_value integer;
begin
  if p_field = 4 then
    v_parts := regexp_match(p_item, '^(?:(L)(?:-([0-9]+))?|([0-9]+)W|(LW|WL))$');
    if v_parts[1] is not null then
      if length(v_parts[2]) > 9 or v_parts[2]::integer > 30 then
        perform refuse_cron(p_text, p_field, format('%s is out of L-0 to L-30', p_item));
      end if;
      p_cron[7] := set_bit(p_cron[7], coalesce(v_parts[2], '0')::integer, 1);
    elsif v_parts[3] is not null then
      p_cron[8] := set_bit(p_cron[8], cron_value(p_text, p_field, v_parts[3]) - 1, 1);
    elsif v_parts[4] is not null then
      p_cron[8] := set_bit(p_cron[8], 31, 1);
    end if;
  elsif p_field = 6 then
    v_parts := regexp_match(p_item, '^([0-9]+|[A-Z]{3})(?:L|#([0-9]+|L))$');
    if v_parts is not null then
      v_value := cron_value(p_text, p_field, v_parts[1]) % 7;
      if coalesce(v_parts[2], 'L') not in ('1', '2', '3', '4', '5', 'L') then
        perform refuse_cron(p_text, p_field, format('%s is out of #1 to #5', p_item));
      end if;
      p_cron[9] := set_bit(p_cron[9], v_value + 7 * (coalesce(nullif(v_parts[2], 'L'), '6')::integer - 1), 1);
    end if;
  end if;
  return case when v_parts is not null then p_cron end;
end;
$$;

-- cron_step() — the step of an item, 1 when it has none
--
-- A step that its field cannot hold is refused: */90 in the minute would come once an
-- hour, not every 90 minutes.

create or replace function cron_step(p_text text, p_field integer, p_step text, p_size integer)
  returns integer
  language plpgsql
  stable
as $$
begin
  if p_step is null then
    return 1;
  end if;
  if length(p_step) > 9 or p_step::integer not between 1 and p_size - 1 then
    perform refuse_cron(p_text, p_field, format('step %s is out of 1–%s', p_step, p_size - 1));
  end if;
  return p_step;
end;
$$;

-- cron_value() — the number that a value of a field means; names are numbers of months and weekdays

create or replace function cron_value(p_text text, p_field integer, p_value text)
  returns integer
  language plpgsql
  stable
as $$
declare
  c_low      constant integer[] := array[0, 0, 0, 1, 1, 0];
  c_high     constant integer[] := array[59, 59, 23, 31, 12, 7];
  c_months   constant text[] := array['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT',
                                      'NOV', 'DEC'];
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
