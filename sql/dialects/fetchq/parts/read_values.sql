-- read_values() — the documents in the text of a bulk push, read and never run
--
--   ('s1', 0, '{"json": 1}', {DATA}), ('s2', 5, '{}', {DATA})
--
-- The original pasted this text into a statement. Whatever is not a list of such
-- tuples is refused as a whole.

create or replace function read_values(
  p_data text, out subjects text[], out priorities integer[], out payloads jsonb[]
)
  language plpgsql
  immutable
as $$
declare
  c_tuple constant text := $re$\(\s*'((?:[^']|'')*)'\s*,\s*(-?\d+)\s*,\s*'((?:[^']|'')*)'(?:::jsonb)?\s*,\s*\{DATA\}\s*\)$re$;
begin
  if regexp_replace(p_data, c_tuple, '', 'g') !~ '^[\s,]*$' then
    perform refuse('TK004', 'the documents cannot be read', 'Write (''subject'', 0, ''{"json": 1}'', {DATA}), (…).');
  end if;
  select array_agg(replace(part[1], '''''', '''')), array_agg(part[2]::integer),
         array_agg(replace(part[3], '''''', '''')::jsonb)
  into subjects, priorities, payloads
  from regexp_matches(p_data, c_tuple, 'g') as part;
end;
$$;
