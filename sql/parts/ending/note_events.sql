-- note_events() — records what happened to tasks, of queues that are followed
--
-- Events are read in the order of their ids (read_events()), which are given out before
-- their transactions commit. So a transaction says with a shared lock, before its first
-- event, that there will be events of its own behind the last id given out until then:
-- readers wait for it there, and for no other session. Any login may take such locks too:
-- one that another session keeps is passed by, for that of an earlier id, and readers
-- heed only sessions that are writing events (events_until()).

create or replace function note_events(p_event text, p_tasks bigint[], p_queues text[], p_outcomes text[] default null)
  returns void
  language plpgsql
as $$
declare
  v_all  boolean := (select followed_until > clock_timestamp() from queues where name = '*');
  v_last bigint;
begin
  if v_all or exists (select from queues where records_events and name = any (p_queues)) then
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
