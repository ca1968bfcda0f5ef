-- parse_cron() — reads a cron expression into bits, or refuses it
--
--   1 second    60   5 month      12, bit 0 is January
--   2 minute    60   6 weekday     7, bit 0 is Sunday
--   3 hour      24   7 L, L-n     31, bit n is n days before the last
--   4 day       31   8 15W, LW    32, bit 14 is 15W, bit 31 is LW
--                    9 2#1, 2L    42, seven bits for each of the first to fifth, and last
--
-- The same days always give the same bits: 4 or 6 is full when that field does not
-- restrict the day, and both are when the two together leave no day out.
-- Five fields are a minute's; six begin with the second.

create or replace function parse_cron(p_text text)
  returns varbit[]
  language plpgsql
  stable
as $$
declare
  v_fields text[] := cron_fields(p_text);
  v_cron   varbit[] := array[
    repeat('0', 60), repeat('0', 60), repeat('0', 24), repeat('0', 31), repeat('0', 12), repeat('0', 7),
    repeat('0', 31), repeat('0', 32), repeat('0', 42)]::varbit[];
  v_item   text;
begin
  for v_field in 1..6 loop
    foreach v_item in array string_to_array(v_fields[v_field], ',') loop
      v_cron := cron_item(v_cron, p_text, v_field, v_item);
    end loop;
  end loop;
  return cron_settle(v_cron, p_text, v_fields);
end;
$$;
