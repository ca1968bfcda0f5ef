-- note_events() — records what happened to tasks of the queues that ask for it

create or replace function note_events(p_event text, p_tasks bigint[], p_queues text[], p_outcomes text[] default null)
  returns void
  language plpgsql
as $$
begin
  if exists (select from queues where records_events) then
    insert into events (event, task, queue)
    select p_event, given.task, given.queue
    from unnest(p_tasks, p_queues, p_outcomes) with ordinality as given (task, queue, outcome, place)
    where coalesce(given.outcome, 'created') not in ('kept', 'throttled')
      and given.queue in (select name from queues where records_events)
    order by given.place;
  end if;
end;
$$;
