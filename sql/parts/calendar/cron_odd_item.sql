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
