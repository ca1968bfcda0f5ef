-- Cron expressions: from text to bits.

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
  return normalize_cron_days(v_cron, p_text, v_fields);
end;
$$;

-- cron_fields() — the six fields of a cron expression, in capitals; nicknames are written out

create or replace function cron_fields(p_text text)
  returns text[]
  language plpgsql
  stable
as $$
declare
  c_how    constant text := 'Write minute hour day month weekday, such as 30 2 * * *; a sixth field, in front, is '
                            'the second.';
  v_text   text := btrim(upper(regexp_replace(left(p_text, 1001), '[[:space:]]+', ' ', 'g') collate "C"));
  v_fields text[];
begin
  if coalesce(v_text, '') = '' then
    perform refuse('TK004', 'the cron expression is empty', c_how);
  end if;
  if length(v_text) > 1000 then
    perform refuse('TK004', 'the cron expression is longer than 1000 characters', c_how);
  end if;
  if v_text like '@%' then
    v_text := case v_text
      when '@YEARLY' then '0 0 1 1 *'
      when '@ANNUALLY' then '0 0 1 1 *'
      when '@MONTHLY' then '0 0 1 * *'
      when '@WEEKLY' then '0 0 * * 0'
      when '@DAILY' then '0 0 * * *'
      when '@MIDNIGHT' then '0 0 * * *'
      when '@HOURLY' then '0 * * * *'
    end;
    if v_text is null then
      perform refuse(
        'TK004',
        format('cron %s: unknown nickname', quote_cron(p_text)),
        'The nicknames are @yearly, @annually, @monthly, @weekly, @daily, @midnight and @hourly.');
    end if;
  end if;
  v_fields := string_to_array(v_text, ' ');
  if cardinality(v_fields) = 5 then
    return array_prepend('0', v_fields);
  end if;
  if cardinality(v_fields) <> 6 then
    perform refuse(
      'TK004',
      format('cron %s has %s %s', quote_cron(p_text), cardinality(v_fields),
        case cardinality(v_fields) when 1 then 'field' else 'fields' end),
      c_how || case when cardinality(v_fields) = 7 then ' There is no field for the year.' else '' end);
  end if;
  return v_fields;
end;
$$;

-- normalize_cron_days() — brings the days of a parsed expression into one form, and refuses one that never comes
--
-- Classic cron: a field that is * leaves the day to the other; two that are not count
-- each for themselves, so that 1-31 beside MON is every day.

create or replace function normalize_cron_days(p_cron varbit[], p_text text, p_fields text[])
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

-- quote_cron() — a cron expression as messages show it: on one line, not too long

create or replace function quote_cron(p_text text)
  returns text
  language plpgsql
  stable
as $$
declare
  v_text text := btrim(regexp_replace(left(p_text, 1001), '[[:space:]]+', ' ', 'g'));
begin
  return '"' || case when length(v_text) > 60 then left(v_text, 57) || '...' else v_text end || '"';
end;
$$;

-- refuse_cron() — says which field of a cron expression is wrong, and what may stand there

create or replace function refuse_cron(p_text text, p_field integer, p_fault text)
  returns void
  language plpgsql
as $$
declare
  c_fields constant text[] := array['second', 'minute', 'hour', 'day', 'month', 'weekday'];
  c_hints  constant text[] := array[
    'Write seconds as 0–59: 0, 0,30, 10-20 or */15.',
    'Write minutes as 0–59: 30, 0,30, 10-20 or */15. For other periods, such as 90 minutes, use every instead of cron.',
    'Write hours as 0–23: 2, 9-17, 8,12,18 or */6. For a range over midnight write 22-23,0-2.',
    'Write days as 1–31: 1, 1,15 or 1-7; L is the last day, L-3 three days before it, 15W the weekday nearest to the '
    '15th, LW the last weekday.',
    'Write months as 1–12 or JAN–DEC: 1, JAN-MAR, 3,6,9,12 or */3.',
    'Write weekdays as 0–7 or SUN–SAT, where 0 and 7 are Sunday: 1-5, MON,THU; FRI#2 is the second Friday of the '
    'month, FRIL the last.'];
begin
  perform refuse('TK004', format('cron %s: %s %s', quote_cron(p_text), c_fields[p_field], p_fault), c_hints[p_field]);
end;
$$;
