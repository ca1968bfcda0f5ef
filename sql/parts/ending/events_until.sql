-- events_until() — the last event before which none is still to come
--
-- Events of transactions under way are not seen yet; their locks (note_events()) say
-- behind which id they begin. Only locks of sessions that write events count: no session but
-- the engine can lock that table so, while any login can take an advisory lock. The last id
-- is read first: a session that gives out ids before that has taken the lock by then, or is done
-- with it and can be seen by the next statement.

create or replace function events_until()
  returns bigint
  language plpgsql
as $$
declare
  v_last bigint;
begin
  select case when is_called then last_value else 0 end into v_last from event_ids;
  return least(v_last, (
    select min(v_last - distance.n)
    from pg_locks as said
    cross join lateral (select ((v_last - objid::bigint) % 4294967296 + 4294967296) % 4294967296 as n) as distance
    where said.locktype = 'advisory' and said.objsubid = 2 and said.granted
      and said.database = (select oid from pg_database where datname = current_database())
      and exists (
        select from pg_locks as writing
        where writing.pid = said.pid and writing.locktype = 'relation' and writing.mode = 'RowExclusiveLock'
          and writing.granted and writing.database = said.database and writing.relation = 'events'::regclass)
      and classid::bigint = hashtext(current_schema() || ':events')::bigint & 4294967295
      -- Else it began after the last id was read.
      and distance.n < 2147483648
  ));
end;
$$;
