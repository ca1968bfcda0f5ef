-- fire() — makes tasks of the planned times that have come; each is written down once
--
-- Any number may call it at once, at any time: a schedule is in the hands of one of
-- them, and what it fires commits together with the schedule's next time. One that
-- fails stays as it was, says why in the view `schedule` and is tried again later; the
-- others go on. Answers how many planned times it wrote down and how long until there
-- is something to do again; null when nothing will be.
--
-- However much was missed, a call deals with some 10,000 planned times, an equal share
-- of each schedule: a call that took longer than its leader is trusted would be undone
-- again and again.
--
-- Schedules that take keys or cancel tasks have calls of their own, and wait a moment
-- for those locks at most: a transaction that somebody leaves open stops no other
-- schedule. Once some of them have failed together, each comes alone.

create or replace function fire(p_limit integer default 100, out processed integer, out next_in_ms float8)
  language plpgsql
  security definer
  set search_path from current
  set lock_timeout = '200ms'
as $$
declare
  v_now      timestamptz := clock_timestamp();
  v_due      schedules[];
  v_together schedules[];
  v_plan     schedules;
  v_held     integer;
  v_most     integer;
begin
  perform check_round(p_limit);
  processed := 0;
  v_due := array(
    select schedules
    from schedules
    where look_at <= v_now
    order by look_at
    limit p_limit
    for update skip locked
  );
  v_held := cardinality(v_due);
  v_due := first_to_fire(v_due);
  v_most := 10000 / greatest(cardinality(v_due), 1);
  for v_together in
    select array_agg(due) from unnest(v_due) as due where not watches_tasks(due) group by due.set_by having count(*) > 1
  loop
    begin
      processed := processed + fire_together(v_together, v_now, v_most);
      v_due := array(
        select due from unnest(v_due) as due where due.name <> all (array(select name from unnest(v_together)))
      );
    exception
      -- One of them cannot: each for itself then, so that it alone fails.
      when others then null;
    end;
  end loop;
  foreach v_plan in array v_due loop
    begin
      processed := processed + fire_schedule(v_plan, v_now, v_most);
    exception
      when others then
        perform note_failure(v_plan, sqlstate, sqlerrm);
    end;
    exit when takes_locks(v_plan) or processed >= 10000;
  end loop;

  -- What another holds at this moment is its to fire: look again, but do not spin.
  select extract(epoch from greatest(min(look_at) - clock_timestamp(), case when v_held = 0 then '100 ms' else '0' end::interval)) * 1000
  into next_in_ms
  from schedules
  having min(look_at) is not null;
end;
$$;
