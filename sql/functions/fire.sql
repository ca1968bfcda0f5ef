-- fire() — makes tasks of the planned times that have come; each is written down once
--
-- Any number may call it at once, at any time: a schedule is in the hands of one of
-- them, and what it fires commits together with the schedule's next time. One that
-- fails stays as it was, says why in the view `schedule` and is tried again later; the
-- others go on. Answers how many planned times it wrote down and how long until there
-- is something to do again; null when nothing will be.
--
-- A schedule that takes keys or cancels tasks ends the call: the order of those locks
-- holds for one schedule, not for several.

create or replace function fire(p_limit integer default 100, out processed integer, out next_in_ms float8)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_now  timestamptz := clock_timestamp();
  v_due  schedules[];
  v_plan schedules;
begin
  processed := 0;
  v_due := array(
    select schedules
    from schedules
    where look_at <= v_now
    order by look_at
    limit p_limit
    for update skip locked
  );
  foreach v_plan in array v_due loop
    begin
      processed := processed + fire_schedule(v_plan, v_now);
    exception
      when others then
        perform note_failure(v_plan, sqlstate, sqlerrm);
    end;
    exit when v_plan.overlap = 'cancel' or v_plan.task ? 'key';
  end loop;

  -- What another holds at this moment is its to fire: look again, but do not spin.
  select extract(epoch from greatest(min(look_at) - clock_timestamp(), case when v_due = '{}' then '100 ms' else '0' end::interval)) * 1000
  into next_in_ms
  from schedules
  having min(look_at) is not null;
end;
$$;
