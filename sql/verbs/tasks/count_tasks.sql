-- count_tasks() — how many tasks match a filter, as far as that can be counted soon
--
--   select * from count_tasks('{"states": ["failed"]}');
--
-- Takes what page_tasks() takes. Counts up to p_cap and no longer than about p_within; when
-- it had to stop, exact is false and there are at least so many.

create or replace function count_tasks(
  p_filter jsonb    default '{}',
  p_cap    integer  default 10000,
  p_within interval default '200 ms',
  out count bigint,
  out exact boolean
)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
declare
  v_found record;
begin
  perform check_count(p_cap, p_within);
  v_found := search_tasks(p_filter, null, p_cap, p_within);
  count := cardinality(v_found.ids);
  exact := v_found.next is null;
end;
$$;
