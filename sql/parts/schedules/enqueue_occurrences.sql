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
  v_ids      bigint[];
  v_kept     boolean[];
  v_count    integer;
begin
  if p_places = '{}' then
    return '{}';
  end if;
  perform check_setter(p_schedules[p_places[1]]);
  perform set_config('tusk.acting_for', (p_schedules[p_places[1]]).secret || (p_schedules[p_places[1]]).name, true);
  select array_agg(answer.id order by answer.n), array_agg(answer.outcome in ('kept', 'throttled') order by answer.n)
  into v_ids, v_kept
  from enqueue_many((
    select jsonb_agg(occurrence_task(p_schedules[p_places[n]], p_planned_ats[n], p_run_ats[n]) order by n)
    from generate_subscripts(p_places, 1) as n
  )) with ordinality as answer (id, outcome, n);
  perform set_config('tusk.acting_for', '', true);

  insert into occurrences as old (schedule, planned_at, recorded_at, run_at, task, outcome, reason, origin)
  select (p_schedules[p_places[n]]).name, p_planned_ats[n], clock_timestamp(), p_run_ats[n], v_ids[n],
         case when v_kept[n] then 'skipped' else 'fired' end,
         case when v_kept[n] then 'key' end,
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
      message = 'a planned time was recorded by another at the same moment',
      hint = 'Nothing was fired. Call again.';
  end if;
  return array(select case when not v_kept[n] then v_ids[n] end from generate_subscripts(v_ids, 1) as n order by n);
end;
$$;
