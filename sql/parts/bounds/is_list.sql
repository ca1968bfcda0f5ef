-- is_list() — whether an array is empty, left out, or a plain list of at most so many elements
--
-- Verbs read arrays by subscript, from 1 on. An array of arrays, or one that begins
-- elsewhere, would be read as nulls. A single expression, so Postgres inlines it.

create or replace function is_list(p_array anyarray, p_most integer default null)
  returns boolean
  language sql
  immutable
as $$
  select coalesce(
    array_ndims(p_array) = 1 and array_lower(p_array, 1) = 1 and (p_most is null or cardinality(p_array) <= p_most), true);
$$;
