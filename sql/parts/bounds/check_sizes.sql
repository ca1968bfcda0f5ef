-- check_sizes() — refuses a bulk if one of these values is larger than bound() allows for its kind
--
-- All of them together first: only when they are too large need each be looked at.

create or replace function check_sizes(p_kind text, p_values jsonb[])
  returns void
  language plpgsql
as $$
declare
  v_place bigint;
  v_size  integer;
begin
  if coalesce(pg_column_size(p_values) <= bound(p_kind), true) then
    return;
  end if;
  select i, pg_column_size(p_values[i]) into v_place, v_size
  from generate_subscripts(p_values, 1) as i
  where pg_column_size(p_values[i]) > bound(p_kind)
  limit 1;
  if found then
    perform refuse_task(
      'TK005', v_place,
      format('the %s of %s has %s bytes, at most %s can be stored', p_kind,
             case when cardinality(p_values) > 1 then format('task %s of %s', v_place, cardinality(p_values)) else 'the task' end,
             v_size, bound(p_kind)),
      'Nothing was changed. Store the data elsewhere and keep a reference to it.');
  end if;
end;
$$;
