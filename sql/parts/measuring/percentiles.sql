-- percentiles() — how long it took each share of all at most, in seconds, told from buckets
--
-- The shares from the least to the greatest. Within a bucket times are thought of as spread
-- evenly; beyond the last bound nothing is known but that. Null when nothing was counted.

create or replace function percentiles(p_counts bigint[], p_shares float8[])
  returns float8[]
  language plpgsql
  immutable
  strict
as $$
declare
  c_bounds constant float8[] := duration_buckets();
  v_total  bigint := (select sum(n) from unnest(p_counts) as n);
  v_before bigint := 0;
  v_times  float8[] := '{}';
  v_next   integer := 1;
begin
  if v_total = 0 then
    return null;
  end if;
  for i in 1 .. cardinality(c_bounds) loop
    while p_counts[i] > 0 and v_next <= cardinality(p_shares) and p_shares[v_next] * v_total <= v_before + p_counts[i] loop
      v_times[v_next] := coalesce(c_bounds[i - 1], 0)
        + (c_bounds[i] - coalesce(c_bounds[i - 1], 0)) * (p_shares[v_next] * v_total - v_before) / p_counts[i];
      v_next := v_next + 1;
    end loop;
    exit when v_next > cardinality(p_shares);
    v_before := v_before + p_counts[i];
  end loop;
  for i in v_next .. cardinality(p_shares) loop
    v_times[i] := c_bounds[cardinality(c_bounds)];
  end loop;
  return v_times;
end;
$$;
