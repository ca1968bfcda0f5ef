-- Schedules: what becomes of planned times that have come.

-- decide_due_times() — what becomes of the planned times of a schedule up to p_now
--
-- Writes down what is skipped, and answers with what is to fire, the schedule as it
-- stands then, and how many times that were in all. A time later than misfire_after is
-- missed: of those fire the newest one (once), none (skip), or the newest catch_up
-- (all). What is due beyond the first p_most is left to the next call; how late counts
-- as missed stays what it was at the first, and the newest missed ones are kept back
-- until it is known that they are the newest. So that it gets on, it takes some more
-- than those at least.

create or replace function decide_due_times(
  p_schedule schedules, p_now timestamptz, p_most integer,
  out plan schedules, out fires timestamptz[], out run_ats timestamptz[], out settled integer
)
  language plpgsql
as $$
declare
  v_due    timestamptz[];
  v_missed integer;
  v_spared integer := case p_schedule.misfire when 'all' then p_schedule.catch_up when 'once' then 1 else 0 end;
  v_most   integer := greatest(p_most, v_spared + 100);
  v_rest   timestamptz;
  v_after  record;
begin
  plan := p_schedule;
  fires := '{}';
  run_ats := '{}';
  settled := 0;
  if plan.next_at is null and plan.drift = 'finished' then
    plan := plan_from_end(plan, p_now);
  end if;
  if plan.next_at is null or plan.next_at > p_now then
    if plan.look_at <= p_now then
      plan.look_at := plan.next_at;
    end if;
    return;
  end if;

  v_due := planned_times(plan, plan.next_at, p_now, v_most + 1);
  v_rest := v_due[v_most + 1];
  v_due := v_due[1 : v_most];
  plan.missed_until := coalesce(plan.missed_until, p_now - plan.misfire_after);
  v_missed := (select count(*) from unnest(v_due) as due (at) where at <= plan.missed_until);
  if plan.paused_at is null and v_rest <= plan.missed_until then
    v_rest := v_due[v_most - v_spared + 1];
    v_due := v_due[1 : v_most - v_spared];
    v_missed := cardinality(v_due);
    v_spared := 0;
  end if;
  settled := cardinality(v_due);
  plan.next_at := coalesce(v_rest, next_planned(plan, v_due[settled]));
  if v_rest is null then
    plan.missed_until := null;
  end if;
  plan.look_at := plan.next_at;

  if plan.paused_at is not null then
    perform skip_occurrences(plan, v_due, 'paused', p_now);
    return;
  end if;
  fires := v_due[greatest(v_missed - v_spared, 0) + 1 :];
  if v_missed > v_spared then
    perform skip_occurrences(plan, v_due[1 : v_missed - v_spared], 'misfire', p_now);
  end if;
  v_after := avoid_overlap(plan, fires, p_now);
  plan := v_after.plan;
  fires := v_after.fires;
  run_ats := array(
    select occurrence_run_at(plan, fires[n], case when fires[n] <= v_due[v_missed] then p_now else fires[n] end)
    from generate_subscripts(fires, 1) as n
    order by n
  );
end;
$$;

-- record_due_times() — writes down every planned time of a schedule up to now, before its times change
--
-- The caller holds its row. What an error keeps from firing is written down as such.

create or replace function record_due_times(p_schedule schedules, p_now timestamptz)
  returns schedules
  language plpgsql
as $$
declare
  v_plan schedules := p_schedule;
  v_due  timestamptz[];
begin
  while v_plan.next_at <= p_now loop
    begin
      perform fire_schedule(v_plan, p_now, 10000);
    exception
      when others then
        v_due := planned_times(v_plan, v_plan.next_at, p_now, 10000);
        perform skip_occurrences(v_plan, v_due, 'error', p_now);
        update schedules set next_at = next_planned(v_plan, v_due[cardinality(v_due)]) where name = v_plan.name;
    end;
    select * into v_plan from schedules where name = v_plan.name;
  end loop;
  return v_plan;
end;
$$;

-- avoid_overlap() — which of the planned times of a schedule fire, in view of its live tasks
--
-- Writes down what is skipped, and cancels what is to be cancelled. What was backfilled
-- before its time came to be looked at is done already.

create or replace function avoid_overlap(
  p_schedule schedules, p_times timestamptz[], p_now timestamptz, out plan schedules, out fires timestamptz[]
)
  language plpgsql
as $$
declare
  v_overlap timestamptz[] := '{}';
begin
  plan := p_schedule;
  fires := array(
    select planned_at
    from unnest(p_times) as due (planned_at)
    where not exists (
      select from occurrences where schedule = plan.name and occurrences.planned_at = due.planned_at
    )
    order by planned_at
  );
  if fires = '{}' or not tracks_tasks(plan) then
    return;
  end if;

  plan.live := live_tasks(plan.live);
  if plan.drift = 'finished' then
    -- The next time is not known before the first of these has ended.
    fires := fires[1:1];
  end if;
  if plan.overlap = 'skip' then
    v_overlap := case when plan.live = '{}' then fires[2:] else fires end;
    fires := case when plan.live = '{}' then fires[1:1] else '{}' end;
  elsif plan.overlap = 'cancel' then
    v_overlap := fires[: cardinality(fires) - 1];
    fires := fires[cardinality(fires) :];
    perform cancel_tasks(plan.live);
    plan.live := '{}';
  end if;
  perform skip_occurrences(plan, v_overlap, 'overlap', p_now);
end;
$$;

-- fire_schedule() — fires or skips what is due of one schedule, whose row the caller holds
--
-- Answers how many planned times it wrote down: about p_most of them, if there are more.

create or replace function fire_schedule(p_schedule schedules, p_now timestamptz, p_most integer)
  returns integer
  language plpgsql
as $$
declare
  v_due  record := decide_due_times(p_schedule, p_now, p_most);
  v_plan schedules := v_due.plan;
begin
  v_plan := record_fired(v_plan, v_due.fires, enqueue_occurrences_of(v_plan, v_due.fires, v_due.run_ats, 'schedule'));
  if v_plan.next_at is null and v_plan.drift = 'finished' and v_plan.live <> '{}' then
    v_plan.look_at := p_now + interval '1 second';
  end if;
  perform save_fired_schedules(array[v_plan]);
  return v_due.settled;
end;
$$;

-- skip_occurrences() — writes down planned times of a schedule that do not fire, and why

create or replace function skip_occurrences(
  p_schedule    schedules,
  p_planned_ats timestamptz[],
  p_reason      text,
  p_now         timestamptz
)
  returns void
  language plpgsql
as $$
begin
  insert into occurrences (schedule, planned_at, recorded_at, outcome, reason, origin)
  select p_schedule.name, planned_at, p_now, 'skipped', p_reason, 'schedule'
  from unnest(p_planned_ats) as given (planned_at)
  on conflict (schedule, planned_at) do nothing;
end;
$$;
