-- Schedules: the tasks of planned times.

-- enqueue_occurrences() — fires planned times of schedules whose rows the caller holds
--
-- The n-th time is one of the schedule at place p_places[n]; all of these were set by
-- the same role. Enqueues a task for each, in the name of that role, and writes the
-- occurrences down. A planned time that is written down already as fired undoes all
-- of it: nothing fires twice, even if two should believe they hold the row. A task that
-- its key kept out is an occurrence skipped; it names the task that was there. That one
-- is not the schedule's: the answer has null in its place.

create or replace function enqueue_occurrences(
  p_schedules schedules[], p_places integer[], p_planned_ats timestamptz[], p_run_ats timestamptz[], p_origin text
)
  returns bigint[]
  language plpgsql
as $$
declare
  v_stored record;
  v_count  integer;
begin
  if p_places = '{}' then
    return '{}';
  end if;
  perform check_setter(p_schedules[p_places[1]]);
  perform set_config('tusk.acting_for', (p_schedules[p_places[1]]).secret || (p_schedules[p_places[1]]).name, true);
  v_stored := store_tasks(array(
    select occurrence_task(p_schedules[p_places[n]], p_planned_ats[n], p_run_ats[n])
    from generate_subscripts(p_places, 1) as n));
  perform set_config('tusk.acting_for', '', true);

  insert into occurrences as old (schedule, planned_at, recorded_at, run_at, task, outcome, reason, origin)
  select (p_schedules[p_places[n]]).name, p_planned_ats[n], clock_timestamp(), p_run_ats[n], v_stored.ids[n],
         case when v_stored.outcomes[n] in ('kept', 'throttled') then 'skipped' else 'fired' end,
         case when v_stored.outcomes[n] in ('kept', 'throttled') then 'key' end,
         p_origin
  from generate_subscripts(p_places, 1) as n
  on conflict (schedule, planned_at) do update
    set recorded_at = excluded.recorded_at,
        run_at      = excluded.run_at,
        task        = excluded.task,
        outcome     = excluded.outcome,
        reason      = excluded.reason,
        origin      = excluded.origin
    where old.outcome = 'skipped' and p_origin = 'backfill';
  get diagnostics v_count = row_count;
  if v_count <> cardinality(p_places) then
    raise exception using
      errcode = 'serialization_failure',
      message = 'another session recorded a planned time at the same moment',
      hint = 'Nothing was fired. Call again.';
  end if;
  return array(
    select case when v_stored.outcomes[n] in ('kept', 'throttled') then null else v_stored.ids[n] end
    from generate_subscripts(v_stored.ids, 1) as n);
end;
$$;

-- enqueue_occurrences_of() — fires planned times of one schedule whose row the caller holds

create or replace function enqueue_occurrences_of(
  p_schedule schedules, p_planned_ats timestamptz[], p_run_ats timestamptz[], p_origin text
)
  returns bigint[]
  language plpgsql
as $$
begin
  return enqueue_occurrences(
    array[p_schedule], array_fill(1, array[cardinality(p_planned_ats)]), p_planned_ats, p_run_ats, p_origin);
end;
$$;

-- occurrence_task() — the task of one planned time
--
-- The template with its time; meta says of which schedule and which planned time it is.

create or replace function occurrence_task(p_schedule schedules, p_planned_at timestamptz, p_run_at timestamptz)
  returns new_task
  language plpgsql
  stable
as $$
declare
  v_task new_task := jsonb_populate_record(null::new_task, p_schedule.task);
begin
  v_task.payload := coalesce(v_task.payload, '{}');
  v_task.run_at := p_run_at;
  v_task.meta := coalesce(v_task.meta, '{}') || jsonb_build_object(
    'schedule', p_schedule.name,
    'planned_at', to_char(p_planned_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'));
  if p_schedule.overlap = 'queue' then
    v_task.groups := v_task.groups || ('schedule:' || p_schedule.name);
  end if;
  return v_task;
end;
$$;

-- save_fired_schedules() — stores where schedules stand after they have fired

create or replace function save_fired_schedules(p_schedules schedules[])
  returns void
  language plpgsql
as $$
begin
  update schedules
  set next_at      = new.next_at,
      look_at      = new.look_at,
      anchor       = new.anchor,
      missed_until = new.missed_until,
      fired_at     = new.fired_at,
      fired_task   = new.fired_task,
      live         = new.live,
      failures     = 0,
      error        = null
  from unnest(p_schedules) as new
  where schedules.name = new.name;
end;
$$;

-- record_fired() — a schedule that remembers what it fired last
--
-- p_ids has null where a key kept the task out.

create or replace function record_fired(p_schedule schedules, p_planned_ats timestamptz[], p_ids bigint[])
  returns schedules
  language plpgsql
as $$
declare
  v_plan schedules := p_schedule;
  v_last integer := (select max(n) from generate_subscripts(p_ids, 1) as n where p_ids[n] is not null);
begin
  if v_last is null then
    return v_plan;
  end if;
  v_plan.fired_at := p_planned_ats[v_last];
  v_plan.fired_task := p_ids[v_last];
  if tracks_tasks(v_plan) then
    v_plan.live := v_plan.live || array_remove(p_ids, null);
  end if;
  if v_plan.drift = 'finished' then
    v_plan.next_at := null;
  end if;
  return v_plan;
end;
$$;

-- live_tasks() — which of these tasks are queued or running

create or replace function live_tasks(p_ids bigint[])
  returns bigint[]
  language plpgsql
  stable
as $$
begin
  return array(select id from tasks where id = any (p_ids));
end;
$$;

-- tracks_tasks() — whether a schedule must know which of its tasks are live

create or replace function tracks_tasks(p_schedule schedules)
  returns boolean
  language sql
  immutable
as $$
  select p_schedule.overlap in ('skip', 'cancel') or p_schedule.drift = 'finished';
$$;

-- may_wait_for_locks() — whether firing a schedule may have to wait for another transaction

create or replace function may_wait_for_locks(p_schedule schedules)
  returns boolean
  language sql
  immutable
as $$
  select p_schedule.overlap = 'cancel' or p_schedule.task ? 'key';
$$;
