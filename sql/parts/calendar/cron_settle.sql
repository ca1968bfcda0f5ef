-- cron_settle() — brings the days of a parsed expression into one form, and refuses one that never comes
--
-- Classic cron: a field that is * leaves the day to the other; two that are not count
-- each for themselves, so that 1-31 beside MON is every day.

create or replace function cron_settle(p_cron varbit[], p_text text, p_fields text[])
  returns varbit[]
  language plpgsql
  stable
as $$
declare
  c_star    constant text := '(^|,)[*?](/1)?(,|$)';
  v_is_any  boolean := p_fields[4] ~ c_star;
  v_is_each boolean := p_fields[6] ~ c_star;
begin
  if not v_is_any and not v_is_each and (position(B'0' in p_cron[4]) = 0 or position(B'0' in p_cron[6]) = 0) then
    p_cron[4] := ~ repeat('0', 31)::varbit;
    p_cron[6] := ~ repeat('0', 7)::varbit;
  end if;
  if position(B'0' in p_cron[4]) = 0 then
    p_cron[7] := repeat('0', 31)::varbit;
    p_cron[8] := repeat('0', 32)::varbit;
  end if;
  if position(B'0' in p_cron[6]) = 0 then
    p_cron[9] := repeat('0', 42)::varbit;
    -- 2000 was a leap year: what no month of it has, no year has.
    if not exists (
      select
      from generate_series(0, 11) as month
      where get_bit(p_cron[5], month) = 1
        and position(B'1' in cron_days(p_cron, make_date(2000, month + 1, 1))) > 0
    ) then
      perform refuse(
        'TK004',
        format('cron %s never comes: none of its months has such a day', quote_cron(p_text)),
        'Choose a day that the months have; L is the last day of any month.');
    end if;
  end if;
  return p_cron;
end;
$$;
