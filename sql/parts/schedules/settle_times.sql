-- settle_times() — what becomes of the planned times of a schedule up to p_now
--
-- Writes down what is skipped, and answers with what is to fire, the schedule as it
-- stands then, and how many times that were in all. A time later than misfire_after is
-- missed: of those fire the newest one (once), none (skip), or the newest catch_up
-- (all). What is due beyond the first p_most is left to the next call; how late counts
-- as missed stays what it was at the first, and the newest missed ones are kept back
-- until it is known that they are the newest. So that it gets on, it takes some more
-- than those at least.

create or replace function settle_times(
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
