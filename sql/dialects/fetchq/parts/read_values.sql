-- read_values() — the documents in the text of a bulk push, read and never run
--
--   ('s1', 0, '{"json": 1}', {DATA}), ('s2', 5, '{}', {DATA})
--
-- The original pasted this text into a statement. Whatever is not a list of such
-- tuples is refused as a whole.
--
-- Cut at its apostrophes, the text is a tuple's opening, a subject, a priority between
-- commas, a payload, then its end with the opening of the next. A regular expression
-- over the whole took ten times as long.

create or replace function read_values(
  p_data text, out subjects text[], out priorities integer[], out payloads jsonb[]
)
  language plpgsql
  immutable
as $$
declare
  -- Stands for two apostrophes, which mean one, while the text is cut.
  c_apostrophe constant text := chr(1);
  v_readable   boolean;
  v_pieces     bigint;
begin
  select array_agg(replace(piece, c_apostrophe, '''')) filter (where role = 1),
         array_agg(btrim(piece, E', \t\r\n')::integer) filter (where role = 2 and piece ~ '^\s*,\s*-?\d+\s*,\s*$'),
         array_agg(replace(piece, c_apostrophe, '''')::jsonb) filter (where role = 3),
         bool_and(piece ~ '^\s*\(\s*$') filter (where place = 1)
           and bool_and(piece ~ '^(::jsonb)?\s*,\s*\{DATA\}\s*\)\s*,\s*\(\s*$') filter (where role = 0 and place not in (1, pieces))
             is not false
           and bool_and(piece ~ '^(::jsonb)?\s*,\s*\{DATA\}\s*\)\s*$') filter (where place = pieces),
         max(pieces)
  into subjects, priorities, payloads, v_readable, v_pieces
  from (
    select piece, place, (place - 1) % 4 as role, cardinality(cut) as pieces
    from string_to_array(replace(p_data, '''''', c_apostrophe), '''') as cut
    cross join lateral unnest(cut) with ordinality as given (piece, place)
  ) as pieces;

  if v_readable is not true or v_pieces % 4 <> 1 or v_pieces = 1 or cardinality(priorities) is distinct from cardinality(subjects)
     or strpos(p_data, c_apostrophe) > 0
  then
    perform refuse('TK004', 'the documents cannot be read', 'Write (''subject'', 0, ''{"json": 1}'', {DATA}), (…).');
  end if;
end;
$$;
