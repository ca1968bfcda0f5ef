-- bucket_counts() — how many are in each bucket, given some buckets, counted from 0, and numbers for them

create or replace function bucket_counts(p_buckets integer[], p_counts bigint[])
  returns bigint[]
  language sql
  immutable
as $$
  select array_agg(coalesce(given.n, 0) order by bucket)
  from generate_series(0, cardinality(duration_buckets())) as bucket
  left join (
    select place, sum(n)::bigint as n from unnest(p_buckets, p_counts) as told (place, n) group by place
  ) as given on given.place = bucket;
$$;
