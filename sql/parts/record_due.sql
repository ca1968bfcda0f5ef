-- record_due() — decides what becomes of planned times that are due, and writes it down
--
-- The first p_skipped of them are missed and not made up for; up to p_missed they are
-- missed at all. Answers with the schedule as it stands then.

create or replace function record_due(
  p_schedule schedules, p_due timestamptz[], p_skipped integer, p_missed integer, p_now timestamptz
)
  returns schedules
  language plpgsql
as $$
declare
  v_plan    schedules := p_schedule;
  v_run_ats timestamptz[];
  v_fire    timestamptz[];
  v_overlap timestamptz[] := '{}';
  v_ids     bigint[];
begin
  if v_plan.paused_at is not null then
    perform skip_occurrences(v_plan, p_due, 'paused', p_now);
    return v_plan;
  end if;
  perform skip_occurrences(v_plan, p_due[1 : p_skipped], 'misfire', p_now);
  -- What was backfilled before its time came to be looked at is done.
  v_fire := array(
    select planned_at
    from unnest(p_due[p_skipped + 1 :]) as due (planned_at)
    where not exists (
      select from occurrences where schedule = v_plan.name and occurrences.planned_at = due.planned_at
    )
    order by planned_at
  );
  if v_fire = '{}' then
    return v_plan;
  end if;

  v_plan.live := live_tasks(v_plan.live);
  if v_plan.drift = 'finished' then
    -- The next time is not known before the first of these has ended.
    v_fire := v_fire[1:1];
  end if;
  if v_plan.overlap = 'skip' then
    v_overlap := case when v_plan.live = '{}' then v_fire[2:] else v_fire end;
    v_fire := case when v_plan.live = '{}' then v_fire[1:1] else '{}' end;
  elsif v_plan.overlap = 'cancel' then
    v_overlap := v_fire[: cardinality(v_fire) - 1];
    v_fire := v_fire[cardinality(v_fire) :];
    perform from cancel_many(v_plan.live);
    v_plan.live := '{}';
  end if;
  perform skip_occurrences(v_plan, v_overlap, 'overlap', p_now);

  v_run_ats := array(
    select occurrence_run_at(v_plan, planned_at, case when planned_at <= p_due[p_missed] then p_now else planned_at end)
    from unnest(v_fire) as due (planned_at)
    order by planned_at
  );
  v_ids := enqueue_occurrences(v_plan, v_fire, v_run_ats, 'schedule', p_now);
  return note_fired(v_plan, v_fire, v_ids);
end;
$$;
