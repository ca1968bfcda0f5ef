-- and_list() — a, b and c

create or replace function and_list(p_items text[])
  returns text
  language plpgsql
  stable
as $$
declare
  v_count integer := cardinality(p_items);
begin
  return concat_ws(' and ', nullif(array_to_string(p_items[:v_count - 1], ', '), ''), p_items[v_count]);
end;
$$;
