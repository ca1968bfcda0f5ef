-- duration_buckets() — the upper bounds, in seconds, by which waits and runs are counted
--
-- What is longer than the last is counted too, in one more place behind it.

create or replace function duration_buckets()
  returns float8[]
  language sql
  immutable
as $$
  select '{0.001,0.0025,0.005,0.01,0.025,0.05,0.1,0.25,0.5,1,2.5,5,10,30,60,300,900,3600,14400,86400}'::float8[];
$$;
