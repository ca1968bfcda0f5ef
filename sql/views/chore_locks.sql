-- chore_locks — the advisory locks by which chores are led, and the sessions that hold them

create view chore_locks as
  select chores.name as chore, pg_locks.pid, substring(pg_stat_activity.application_name from '^tusk chores (.*)$') as worker
  from chores
  join pg_locks on pg_locks.locktype = 'advisory' and pg_locks.objsubid = 2 and pg_locks.granted
    and pg_locks.database = (select oid from pg_database where datname = current_database())
    and pg_locks.classid::bigint = chores.lock_class::bigint & 4294967295
    and pg_locks.objid::bigint = hashtext(chores.name)::bigint & 4294967295
  left join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid;
