-- bucket_counts() — how many are in each bucket, given some buckets, counted from 0, and numbers for them

create or replace function bucket_counts(p_buckets integer[], p_counts bigint[])
  returns bigint[]
  language plpgsql
  immutable
as $$
declare
  v_counts bigint[] := array_fill(0::bigint, array[cardinality(duration_buckets()) + 1]);
begin
  for i in 1 .. coalesce(cardinality(p_buckets), 0) loop
    v_counts[p_buckets[i] + 1] := v_counts[p_buckets[i] + 1] + p_counts[i];
  end loop;
  return v_counts;
end;
$$;
