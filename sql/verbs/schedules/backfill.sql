-- backfill() — fires the planned times of a range that are missing or were skipped
--
--   select * from backfill('report', '2026-11-01', '2026-11-08');
--
-- What has fired does not fire again, by fire() or by hand, and however often this is
-- called. Both ends count; what is still to come is left out, and so is what lies
-- before the start or after the end of the schedule. At most p_limit tasks are made:
-- more_from then says where to go on, and is null when all of the range is done. A task
-- that its key kept out stays skipped, and is not counted.
-- Overlap does not hold, except that queue lets one run at a time.

create or replace function backfill(
  p_name text, p_from timestamptz, p_to timestamptz, p_limit integer default 1000,
  out fired integer, out more_from timestamptz
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  c_most  constant integer := 10000;
  v_now   timestamptz := clock_timestamp();
  v_plan  schedules := hold_schedule(p_name);
  v_times timestamptz[];
  v_fire  timestamptz[];
  v_ids   bigint[];
  v_last  integer;
begin
  perform check_backfill(v_plan, p_from, p_to, p_limit);
  v_times := planned_times(
    v_plan, next_planned(v_plan, p_from - interval '1 microsecond'), least(p_to, v_now), c_most + 1);
  v_fire := array(
    select planned_at
    from unnest(v_times[: c_most]) as given (planned_at)
    where not exists (
      select from occurrences
      where schedule = p_name and occurrences.planned_at = given.planned_at and outcome = 'fired'
    )
    order by planned_at
    limit p_limit + 1
  );
  more_from := coalesce(v_fire[p_limit + 1], v_times[c_most + 1]);
  v_fire := v_fire[: p_limit];
  v_ids := enqueue_occurrences_of(
    v_plan, v_fire,
    array(select occurrence_run_at(v_plan, given.at, v_now) from unnest(v_fire) as given (at) order by given.at),
    'backfill');
  select count(*), max(n) into fired, v_last from generate_subscripts(v_ids, 1) as n where v_ids[n] is not null;
  update schedules
  set live       = case when tracks_tasks(v_plan) then live_tasks(v_plan.live) || array_remove(v_ids, null)
                        else '{}' end,
      fired_at   = case when fired_at > v_fire[v_last] then fired_at else v_fire[v_last] end,
      fired_task = case when fired_at > v_fire[v_last] then fired_task else v_ids[v_last] end
  where name = p_name and fired > 0;
  perform audit_action('backfill', 'schedule ' || p_name, null,
                      jsonb_build_object('from', p_from, 'to', p_to, 'fired', fired, 'more_from', more_from));
end;
$$;

-- check_backfill() — refuses a range that cannot be filled
--
-- What was swept may have fired: that is no longer known, so it is not fired again.

create or replace function check_backfill(p_schedule schedules, p_from timestamptz, p_to timestamptz, p_limit integer)
  returns void
  language plpgsql
as $$
begin
  if p_from is null or p_to is null or not isfinite(p_from) or not isfinite(p_to) or p_from > p_to then
    perform refuse('TK004', 'a range needs two times, the earlier first',
                   'Write backfill(''report'', ''2026-11-01'', ''2026-11-08'').');
  end if;
  if p_limit is null or p_limit not between 1 and 10000 then
    perform refuse('TK004', format('the limit cannot be %s', coalesce(p_limit::text, 'null')),
                   'Give a number from 1 to 10000.');
  end if;
  if p_schedule.drift = 'finished' then
    perform refuse('TK004', format('schedule %s plans from the end of each run, so no time was missed',
                                   p_schedule.name),
                   'Run it with run_schedule().');
  end if;
  if p_from <= p_schedule.swept_until then
    perform refuse('TK004', format('occurrences of schedule %s until %s were removed, so some may have fired already',
                                   p_schedule.name, p_schedule.swept_until),
                   'Begin after that time. Set a longer keep to go further back next time.');
  end if;
end;
$$;
