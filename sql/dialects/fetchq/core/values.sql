-- Values as Fetchq's callers write them.

-- read_values() — the documents in the text of a bulk push, read and never run
--
--   ('s1', 0, '{"json": 1}', {DATA}), ('s2', 5, '{}', {DATA})
--
-- The original pasted this text into a statement. Whatever is not a list of such
-- tuples is refused as a whole.
--
-- Cut at its apostrophes, the text is a tuple's opening, a subject, a priority between
-- commas, a payload, then its end with the opening of the next. What stands between two
-- documents is nearly always the same: it is compared with the first, and only read when
-- it differs. A regular expression over the whole took ten times as long.

create or replace function read_values(
  p_data text, out subjects text[], out priorities integer[], out payloads jsonb[]
)
  language plpgsql
  immutable
as $$
declare
  -- Stands for two apostrophes, which mean one, while the text is cut.
  c_apostrophe constant text := chr(1);
  c_priority   constant text := E'^\\s*,\\s*-?\\d+\\s*,\\s*$';
  c_between    constant text := E'^(::jsonb)?\\s*,\\s*\\{DATA\\}\\s*\\)\\s*,\\s*\\(\\s*$';
  v_doubled    boolean := strpos(p_data, '''''') > 0;
  v_cut        text[] := string_to_array(
    case when v_doubled then replace(p_data, '''''', c_apostrophe) else p_data end, '''');
  v_many       integer := cardinality(v_cut) / 4;
  v_priority   integer;
  v_readable   boolean := false;
begin
  if v_many > 0 and cardinality(v_cut) % 4 = 1 and strpos(p_data, c_apostrophe) = 0
     and v_cut[1] ~ E'^\\s*\\(\\s*$' and v_cut[3] ~ c_priority
     and (v_many = 1 or v_cut[5] ~ c_between)
     and v_cut[cardinality(v_cut)] ~ E'^(::jsonb)?\\s*,\\s*\\{DATA\\}\\s*\\)\\s*$'
  then
    v_priority := btrim(v_cut[3], E', \t\r\n');
    select array_agg(case when v_doubled then replace(v_cut[i - 2], c_apostrophe, '''') else v_cut[i - 2] end),
           array_agg(case when v_cut[i - 1] = v_cut[3] then v_priority
                          when v_cut[i - 1] ~ c_priority then btrim(v_cut[i - 1], E', \t\r\n')::integer end),
           array_agg(case when v_doubled then replace(v_cut[i], c_apostrophe, '''') else v_cut[i] end::jsonb),
           bool_and(i = v_many * 4 or v_cut[i + 1] = v_cut[5] or v_cut[i + 1] ~ c_between)
    into subjects, priorities, payloads, v_readable
    from generate_series(4, v_many * 4, 4) as i;
  end if;

  if not v_readable or array_position(priorities, null) is not null then
    perform refuse('TK004', 'the documents are malformed', 'Write (''subject'', 0, ''{"json": 1}'', {DATA}), (…).');
  end if;
end;
$$;

-- unescape() — an argument as its sender means it; see keeps_quotes()

create or replace function unescape(p_text text, p_keeps_quotes boolean)
  returns text
  language sql
  immutable
as $$
  select case when p_keeps_quotes then p_text else replace(p_text, '''''', '''') end;
$$;

create or replace function unescape(p_json jsonb, p_keeps_quotes boolean)
  returns jsonb
  language sql
  immutable
as $$
  select case
    when p_keeps_quotes or strpos(p_json::text, '''''') = 0 then p_json
    else replace(p_json::text, '''''', '''')::jsonb
  end;
$$;

-- keeps_quotes() — whether two apostrophes in an argument are two, or stand for one
--
-- The original pasted its arguments into statements, so that callers had to double
-- apostrophes once more; its Node client does. Hence two stand for one, unless the
-- queue's config says "keep_quotes": true, or the setting fetchq.keep_quotes is on.

create or replace function keeps_quotes(p_config jsonb)
  returns boolean
  language sql
  stable
as $$
  select coalesce(
    (p_config ->> 'keep_quotes')::boolean,
    current_setting('fetchq.keep_quotes', true) in ('on', 'true', '1', 'yes'),
    false);
$$;

-- read_interval() — a duration as written; null when it cannot be read, or reaches beyond all times
--
-- What is surely one is read without a net: a block that catches errors is a transaction
-- of its own, which takes longer than the reading.

create or replace function read_interval(p_text text)
  returns interval
  language plpgsql
  stable
as $$
declare
  v_read interval;
begin
  if p_text ~ '^[0-9]{1,6} ?(s|m|h|d)$' then
    return p_text::interval;
  end if;
  begin
    v_read := p_text::interval;
    -- Raises where the calendar ends.
    return case when isfinite(now() + v_read) and isfinite(now() - v_read) then v_read end;
  exception when data_exception then
    return null;
  end;
end;
$$;

-- finite() — a time that the engine takes: infinity is far away, not beyond all time

create or replace function finite(p_at timestamptz)
  returns timestamptz
  language sql
  immutable
as $$
  select case p_at
    when 'infinity' then timestamptz '9999-12-31 00:00:00+00'
    when '-infinity' then timestamptz '0001-01-01 00:00:00+00'
    else p_at
  end;
$$;

-- is_told() — whether a queue asked for notifications; asked before tell(), which few queues need

create or replace function is_told(p_config jsonb)
  returns boolean
  language sql
  immutable
as $$
  select coalesce(p_config ->> 'notify' = 'true', false);
$$;

-- shown() — a counter as an integer, which is what its functions answer; never an overflow

create or replace function shown(p_value bigint)
  returns integer
  language sql
  immutable
as $$
  select case when p_value is not null then least(greatest(p_value, -2147483648), 2147483647)::integer end;
$$;
