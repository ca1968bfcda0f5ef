-- next_due() — when the next task of a queue becomes due by the passing of time
--
-- One look per lane. The lines of a fair queue are not looked through: a fair
-- queue is looked at again within a second.

create or replace function next_due(p_queue text)
  returns timestamptz
  language plpgsql
as $$
declare
  v_now   timestamptz := clock_timestamp();
  v_rules queues := rules(p_queue);
  v_lane  integer;
  v_next  timestamptz;
begin
  if v_rules.is_fair then
    return v_now + interval '1 second';
  end if;
  for v_lane in
    select distinct priority from lanes where queue = p_queue
  loop
    v_next := least(v_next, (
      select run_at
      from tasks
      where queue = p_queue and parked_on is null and turn is null and priority = v_lane and run_at > v_now
      order by run_at
      limit 1
    ));
  end loop;
  if v_rules.is_counted then
    v_next := least(v_next, (select next_start_at from groups where name = '@' || p_queue and next_start_at > v_now));
  end if;
  return v_next;
end;
$$;
