-- add_counts() — two rows of buckets as one

create or replace function add_counts(p_counts bigint[], p_more bigint[])
  returns bigint[]
  language sql
  immutable
as $$
  select array_agg(coalesce(told.n, 0) + coalesce(told.more, 0) order by told.place)
  from unnest(p_counts, p_more) with ordinality as told (n, more, place);
$$;
