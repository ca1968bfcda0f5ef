-- enqueue_occurrences() — fires planned times of a schedule whose row the caller holds
--
-- Enqueues a task for each, in the name of the role that set the schedule, and writes
-- the occurrences down. A planned time that is written down already as fired undoes
-- all of it: nothing fires twice, even if two should believe they hold the row. A task
-- that its key kept out is an occurrence skipped; it names the task that was there.

create or replace function enqueue_occurrences(
  p_schedule schedules, p_planned_ats timestamptz[], p_run_ats timestamptz[], p_origin text, p_now timestamptz
)
  returns bigint[]
  language plpgsql
as $$
declare
  v_ids      bigint[];
  v_outcomes text[];
  v_count    integer;
begin
  if p_planned_ats = '{}' then
    return '{}';
  end if;
  perform set_config('tusk.acting_for', p_schedule.secret || p_schedule.name, true);
  select array_agg(answer.id order by answer.place), array_agg(answer.outcome order by answer.place)
  into v_ids, v_outcomes
  from enqueue_many((
    select jsonb_agg(occurrence_task(p_schedule, given.planned_at, given.run_at) order by given.place)
    from unnest(p_planned_ats, p_run_ats) with ordinality as given (planned_at, run_at, place)
  )) with ordinality as answer (id, outcome, place);
  perform set_config('tusk.acting_for', '', true);

  insert into occurrences as old (schedule, planned_at, recorded_at, run_at, task, outcome, reason, origin)
  select p_schedule.name, fired.planned_at, p_now, fired.run_at, fired.task,
         case when fired.outcome in ('kept', 'throttled') then 'skipped' else 'fired' end,
         case when fired.outcome in ('kept', 'throttled') then 'key' end,
         p_origin
  from unnest(p_planned_ats, p_run_ats, v_ids, v_outcomes) as fired (planned_at, run_at, task, outcome)
  on conflict (schedule, planned_at) do update
    set recorded_at = excluded.recorded_at,
        run_at      = excluded.run_at,
        task        = excluded.task,
        outcome     = excluded.outcome,
        reason      = excluded.reason,
        origin      = excluded.origin
    where old.outcome = 'skipped' and p_origin = 'backfill';
  get diagnostics v_count = row_count;
  if v_count <> cardinality(p_planned_ats) then
    raise exception using
      errcode = 'serialization_failure',
      message = format('a planned time of schedule %L was recorded by another at the same moment', p_schedule.name),
      hint = 'Nothing was fired. Call again.';
  end if;
  return v_ids;
end;
$$;
