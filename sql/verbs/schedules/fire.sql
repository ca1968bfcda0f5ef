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
-- for those locks at most: a transaction that is left open stops no other
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
    select array_agg(due) from unnest(v_due) as due where not tracks_tasks(due) group by due.set_by having count(*) > 1
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
        perform record_failure(v_plan, sqlstate, sqlerrm);
    end;
    exit when may_wait_for_locks(v_plan) or processed >= 10000;
  end loop;

  -- What another holds at this moment is its to fire: look again, but do not spin.
  select extract(epoch from greatest(min(look_at) - clock_timestamp(),
                                     case when v_held = 0 then '100 ms' else '0' end::interval)) * 1000
  into next_in_ms
  from schedules
  having min(look_at) is not null;
end;
$$;

-- record_failure() — a schedule that could not fire says why, and waits before it is tried again
--
-- A second at first, twice as long each time, five minutes at most. Its planned times
-- are not lost: they are late then, or missed.

create or replace function record_failure(p_schedule schedules, p_code text, p_message text)
  returns void
  language plpgsql
as $$
begin
  update schedules
  set failures = failures + 1,
      error    = jsonb_build_object('code', p_code, 'message', left(p_message, 2000), 'at', clock_timestamp()),
      look_at  = clock_timestamp() + least(interval '5 minutes', interval '1 second' * 2 ^ least(failures, 10))
  where name = p_schedule.name;
end;
$$;

-- first_to_fire() — which of the schedules that are due fire in this call
--
-- All that need no locks, if there are any: they must not wait for the others to
-- commit. Else those that take keys, if one role has set them: with one call of
-- enqueue_many() they are taken in order. Else one alone.

create or replace function first_to_fire(p_due schedules[])
  returns schedules[]
  language plpgsql
as $$
declare
  v_free  schedules[] := array(select due from unnest(p_due) as due where not may_wait_for_locks(due));
  v_first schedules := p_due[1];
begin
  if v_free <> '{}' then
    return v_free;
  elsif tracks_tasks(v_first) then
    return array[v_first];
  end if;
  return array(select due from unnest(p_due) as due where not tracks_tasks(due) and due.set_by = v_first.set_by);
end;
$$;

-- fire_together() — fires or skips what is due of schedules that all were set by one role
--
-- Like fire_schedule() for each, in a tenth of the time: their tasks are enqueued with
-- one call. For schedules that need not know which of their tasks are live. After
-- 10,000 planned times the other schedules are left to the next call.

create or replace function fire_together(p_schedules schedules[], p_now timestamptz, p_most integer)
  returns integer
  language plpgsql
as $$
declare
  v_plans   schedules[] := '{}';
  v_plan    schedules;
  v_due     record;
  v_places  integer[] := '{}';
  v_fires   timestamptz[] := '{}';
  v_run_ats timestamptz[] := '{}';
  v_ids     bigint[];
  v_count   integer := 0;
begin
  foreach v_plan in array p_schedules loop
    v_due := decide_due_times(v_plan, p_now, p_most);
    v_count := v_count + v_due.settled;
    v_plans := v_plans || v_due.plan;
    v_places := v_places || array_fill(cardinality(v_plans), array[cardinality(v_due.fires)]);
    v_fires := v_fires || v_due.fires;
    v_run_ats := v_run_ats || v_due.run_ats;
    exit when v_count >= 10000;
  end loop;
  v_ids := enqueue_occurrences(v_plans, v_places, v_fires, v_run_ats, 'schedule');
  for i in 1 .. cardinality(v_places) loop
    continue when v_ids[i] is null;
    v_plans[v_places[i]].fired_at := v_fires[i];
    v_plans[v_places[i]].fired_task := v_ids[i];
  end loop;
  perform save_fired_schedules(v_plans);
  return v_count;
end;
$$;
