-- read_events() — what happened after the event p_after, in order and without a gap
--
-- Of all queues that are followed, or of p_queue alone. Give the id of the last event you
-- saw, or what follow() answered. An event whose transaction commits late is waited for, and
-- never passed over: those behind it come with it. Other transactions hold nothing up,
-- however long they take.

create or replace function read_events(
  p_after bigint  default 0,
  p_limit integer default 1000,
  p_queue text    default null
)
  returns setof events
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_until  bigint;
  v_queues text[];
begin
  if p_limit is null or p_limit < 0 then
    perform refuse('TK004', format('cannot read %s events', coalesce(p_limit::text, 'null')),
                   'Give a limit of 0 or more.');
  end if;
  if p_after is null then
    perform refuse('TK004', 'read_events() needs the place to read from',
                   'Give the id of the last event you saw, or 0.');
  end if;
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    perform refuse('TK004', 'read_events() must run at isolation level read committed',
                   'Begin the transaction at that level: the others do not see new events.');
  end if;
  v_until := last_stable_event();
  if not sees_all() then
    v_queues := operable(array(select distinct queue from events where id > p_after and id <= v_until));
  end if;
  -- A statement of its own, whose snapshot is younger than the answer above.
  return query
    select *
    from events
    where id > p_after and id <= v_until and (p_queue is null or queue = p_queue)
      and (v_queues is null or queue = any (v_queues))
    order by id
    limit p_limit;
end;
$$;
