-- background_last_result() — what the last statement of a task gave; null when there was none
--
-- A commit that the runner added is nobody's statement.

create or replace function background_last_result(p_output jsonb)
  returns jsonb
  language sql
  immutable
as $$
  select result.value
  from jsonb_array_elements(p_output -> 'results') with ordinality as result (value, place)
  where not result.value ? 'implied'
  order by result.place desc
  limit 1;
$$;
