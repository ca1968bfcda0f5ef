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
  v_cut        text[] := string_to_array(case when v_doubled then replace(p_data, '''''', c_apostrophe) else p_data end, '''');
  v_many       integer := cardinality(v_cut) / 4;
  v_priority   integer;
  v_readable   boolean := false;
begin
  if v_many > 0 and cardinality(v_cut) % 4 = 1 and strpos(p_data, c_apostrophe) = 0
     and v_cut[1] ~ E'^\\s*\\(\\s*$' and v_cut[3] ~ c_priority
     and (v_many = 1 or v_cut[5] ~ c_between) and v_cut[cardinality(v_cut)] ~ E'^(::jsonb)?\\s*,\\s*\\{DATA\\}\\s*\\)\\s*$'
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
    perform refuse('TK004', 'the documents cannot be read', 'Write (''subject'', 0, ''{"json": 1}'', {DATA}), (…).');
  end if;
end;
$$;
