-- bucket_counts() — how many are in each bucket, given some buckets, counted from 0, and numbers for them
--
-- Nulls are passed over; null when there is nothing else.

create or replace function bucket_counts(p_buckets integer[], p_counts bigint[])
  returns bigint[]
  language plpgsql
  immutable
as $$
declare
  v_counts bigint[];
begin
  for i in 1 .. cardinality(p_buckets) loop
    if p_buckets[i] is not null then
      v_counts := coalesce(v_counts, array_fill(0::bigint, array[cardinality(duration_buckets()) + 1]));
      v_counts[p_buckets[i] + 1] := v_counts[p_buckets[i] + 1] + p_counts[i];
    end if;
  end loop;
  return v_counts;
end;
$$;
