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
  if fires = '{}' or not watches_tasks(plan) then
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
