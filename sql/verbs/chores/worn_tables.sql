-- worn_tables() — tables that are written all the time, need a VACUUM and did not get one
--
-- Only those that the caller may vacuum, with their full names, ready to be put into
-- a statement. Nothing is done here: VACUUM runs in no function. In a healthy
-- database autovacuum comes first and the answer is empty.

create or replace function worn_tables(p_dead integer default 10000, p_since interval default '10 minutes')
  returns setof text
  language sql
  security definer
  set search_path from current
as $$
  select format('%I.%I', current_schema(), pg_class.relname)
  from pg_class
  cross join lateral (
    select greatest(pg_stat_get_last_autovacuum_time(pg_class.oid), pg_stat_get_last_vacuum_time(pg_class.oid)) as at
  ) as last
  where pg_class.relnamespace = quote_ident(current_schema())::regnamespace
    and pg_class.relkind = 'r'
    and pg_class.relname in ('tasks', 'claims', 'groups', 'keys', 'deltas', 'counters', 'sleepers', 'workers', 'chores')
    and pg_stat_get_dead_tuples(pg_class.oid) >= greatest(p_dead, 0.2 * pg_class.reltuples)
    and coalesce(last.at < clock_timestamp() - least(greatest(p_since, '0'), '1000 years'), true)
    and pg_has_role((select submitter()), pg_class.relowner, 'usage')
  order by pg_class.relname;
$$;
