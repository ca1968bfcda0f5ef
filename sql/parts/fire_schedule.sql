-- fire_schedule() — fires or skips what is due of one schedule, whose row the caller holds
--
-- Every planned time up to p_now is written down once. A time later than misfire_after
-- is missed: of those fire the newest one (once), none (skip), or the newest catch_up
-- (all). What is due beyond the first 10,000 is left to the next call; how late counts
-- as missed stays what it was at the first, and the newest missed ones are kept back
-- until it is known that they are the newest. Answers how many times it wrote down.

create or replace function fire_schedule(p_schedule schedules, p_now timestamptz)
  returns integer
  language plpgsql
as $$
declare
  c_most   constant integer := 10000;
  v_plan   schedules := p_schedule;
  v_due    timestamptz[];
  v_missed integer;
  v_spared integer := case p_schedule.misfire when 'all' then p_schedule.catch_up when 'once' then 1 else 0 end;
  v_rest   timestamptz;
  v_count  integer := 0;
begin
  if v_plan.next_at is null and v_plan.drift = 'finished' then
    v_plan := plan_from_end(v_plan, p_now);
  end if;
  if v_plan.next_at <= p_now then
    v_due := planned_times(v_plan, v_plan.next_at, p_now, c_most + 1);
    v_rest := v_due[c_most + 1];
    v_due := v_due[1 : c_most];
    v_plan.missed_until := coalesce(v_plan.missed_until, p_now - v_plan.misfire_after);
    v_missed := (select count(*) from unnest(v_due) as due (at) where at <= v_plan.missed_until);
    if v_plan.paused_at is null and v_rest <= v_plan.missed_until then
      v_rest := v_due[c_most - v_spared + 1];
      v_due := v_due[1 : c_most - v_spared];
      v_missed := cardinality(v_due);
      v_spared := 0;
    end if;
    v_count := cardinality(v_due);
    v_plan.next_at := coalesce(v_rest, next_planned(v_plan, v_due[v_count]));
    if v_rest is null then
      v_plan.missed_until := null;
    end if;
    v_plan := record_due(v_plan, v_due, greatest(v_missed - v_spared, 0), v_missed, p_now);
    v_plan.look_at := case
      when v_plan.next_at is null and v_plan.drift = 'finished' and v_plan.live <> '{}' then p_now + interval '1 second'
      else v_plan.next_at
    end;
  end if;

  update schedules
  set next_at      = v_plan.next_at,
      look_at      = v_plan.look_at,
      anchor       = v_plan.anchor,
      missed_until = v_plan.missed_until,
      fired_at     = v_plan.fired_at,
      fired_task   = v_plan.fired_task,
      live         = v_plan.live,
      failures     = 0,
      error        = null
  where name = p_schedule.name;
  return v_count;
end;
$$;
