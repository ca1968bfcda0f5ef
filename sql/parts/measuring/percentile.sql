-- percentile() — how long it took p_share of all at most, in seconds, told from buckets
--
-- Within a bucket times are thought of as spread evenly; beyond the last bound nothing is
-- known but that. Null when nothing was counted.

create or replace function percentile(p_counts bigint[], p_share float8)
  returns float8
  language plpgsql
  immutable
  strict
as $$
declare
  c_bounds constant float8[] := duration_buckets();
  v_left   float8 := p_share * (select sum(n) from unnest(p_counts) as n);
begin
  for i in 1 .. cardinality(c_bounds) loop
    if p_counts[i] > 0 and v_left <= p_counts[i] then
      return coalesce(c_bounds[i - 1], 0) + (c_bounds[i] - coalesce(c_bounds[i - 1], 0)) * v_left / p_counts[i];
    end if;
    v_left := v_left - p_counts[i];
  end loop;
  return case when p_counts[cardinality(c_bounds) + 1] > 0 then c_bounds[cardinality(c_bounds)] end;
end;
$$;
