-- Events: what happened to tasks, in order and without a gap.

-- record_events() — records what happened to tasks, of queues that are followed
--
-- Events are read in the order of their ids (read_events()), which are given out before
-- their transactions commit. So a transaction says with a shared lock, before its first
-- event, that there will be events of its own behind the last id given out until then:
-- readers wait for it there, and for no other session. Any login may take such locks too:
-- one that another session keeps is passed by, for that of an earlier id, and readers
-- heed only sessions that are writing events (last_stable_event()).

create or replace function record_events(
  p_event    text,
  p_tasks    bigint[],
  p_queues   text[],
  p_outcomes text[]   default null
)
  returns void
  language plpgsql
as $$
declare
  v_all  boolean;
  v_last bigint;
begin
  -- One look-up where nothing is recorded, as nearly always.
  if exists (
    select from queues
    where name = any (p_queues || '*'::text) and (records_events or followed_until > clock_timestamp())
  ) then
    v_all := (select followed_until > clock_timestamp() from queues where name = '*');
    if coalesce(current_setting('tusk.events_after', true), '') = '' then
      lock table events in row exclusive mode;
      v_last := (select case when is_called then last_value else 0 end from event_ids);
      while not pg_try_advisory_xact_lock_shared(
        hashtext(current_schema() || ':events'),
        (((v_last + 2147483648) % 4294967296 + 4294967296) % 4294967296 - 2147483648)::integer)
      loop
        v_last := v_last - 1;
      end loop;
      perform set_config('tusk.events_after', v_last::text, true);
    end if;
    insert into events (event, task, queue)
    select p_event, given.task, given.queue
    from unnest(p_tasks, p_queues, p_outcomes) with ordinality as given (task, queue, outcome, place)
    where coalesce(given.outcome, 'created') not in ('kept', 'throttled')
      and (v_all or given.queue in (select name from queues where records_events))
    order by given.place;
  end if;
end;
$$;

-- last_stable_event() — the last event before which none is still to come
--
-- Events of transactions under way are not seen yet; their locks (record_events()) say
-- behind which id they begin. Only locks of sessions that write events count: no session but
-- the engine can lock that table so, while any login can take an advisory lock. The last id
-- is read first: a session that gives out ids before that has taken the lock by then, or is done
-- with it and can be seen by the next statement.

create or replace function last_stable_event()
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
