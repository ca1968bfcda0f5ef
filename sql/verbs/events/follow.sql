-- follow() — has events recorded for all queues, for a while
--
-- Call it again before `until` to go on; it writes only when less than half of the time is
-- left. `after` is where to begin to read with read_events(). `since` is the earliest place
-- from which nothing is missing: a client that was cut off and saw an event before it has to
-- read the tasks again. So has a new client: what transactions do that were under way
-- when the first follow() committed is not recorded.

create or replace function follow(
  p_for interval default '1 minute',
  out after bigint,
  out since bigint,
  out until timestamptz
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  if p_for is null or p_for < interval '1 second' or p_for > interval '1 hour' then
    perform refuse('TK004', format('cannot follow for %s', coalesce(p_for::text, 'null')),
                   'Give an interval from 1 second to 1 hour.');
  end if;
  after := last_stable_event();
  select followed_until, followed_from into until, since from queues where name = '*';
  if coalesce(until < v_now + p_for / 2, true) then
    update queues
    set followed_until = greatest(followed_until, v_now + p_for),
        followed_from  = case when followed_until > v_now then followed_from else after end
    where name = '*'
    returning followed_until, followed_from into until, since;
  end if;
end;
$$;
