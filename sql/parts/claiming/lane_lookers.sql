-- lane_lookers() — the transactions of others that have looked at lanes and have not ended
--
-- A statement locks the tables it reads before it takes its snapshot, and the locks are kept
-- until the end of the transaction. Postgres shows them to every role.

create or replace function lane_lookers()
  returns text[]
  language sql
  volatile
as $$
  select coalesce(array_agg(distinct virtualtransaction), '{}')
  from pg_locks
  where locktype = 'relation' and relation = 'lanes'::regclass and pid is distinct from pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database());
$$;
