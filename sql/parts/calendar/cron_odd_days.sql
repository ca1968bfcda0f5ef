-- cron_odd_days() — the days that L, W and # mean in a month of p_length days
--
-- p_first is the weekday of the 1st, 0 for Sunday. A day that the month lacks (L-30 in
-- February, the fifth Monday, 31W in June) is left out, not moved.

create or replace function cron_odd_days(p_cron varbit[], p_length integer, p_first integer)
  returns varbit
  language plpgsql
  stable
as $$
declare
  v_days varbit := substring(repeat('0', 31)::varbit from 1 for p_length);
  v_day  integer;
begin
  for v_bit in 0..30 loop
    if v_bit < p_length and get_bit(p_cron[7], v_bit) = 1 then
      v_days := set_bit(v_days, p_length - v_bit - 1, 1);
    end if;
  end loop;
  for v_bit in 0..31 loop
    -- The last bit is LW: the weekday nearest to the last day, which is never after it.
    v_day := case v_bit when 31 then p_length else v_bit + 1 end;
    if v_day <= p_length and get_bit(p_cron[8], v_bit) = 1 then
      v_days := set_bit(v_days, nearest_weekday(v_day, p_length, p_first) - 1, 1);
    end if;
  end loop;
  for v_bit in 0..41 loop
    if get_bit(p_cron[9], v_bit) = 1 then
      v_day := 1 + (v_bit % 7 - p_first + 7) % 7 + 7 * (v_bit / 7);
      -- The sixth week stands for the last one.
      if v_bit / 7 = 5 then
        v_day := case when v_day - 7 <= p_length then v_day - 7 else v_day - 14 end;
      end if;
      if v_day <= p_length then
        v_days := set_bit(v_days, v_day - 1, 1);
      end if;
    end if;
  end loop;
  return v_days;
end;
$$;
