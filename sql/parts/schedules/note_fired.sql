-- note_fired() — a schedule that remembers what it fired last

create or replace function note_fired(p_schedule schedules, p_planned_ats timestamptz[], p_ids bigint[])
  returns schedules
  language plpgsql
as $$
declare
  v_plan schedules := p_schedule;
begin
  if p_ids = '{}' then
    return v_plan;
  end if;
  v_plan.fired_at := p_planned_ats[cardinality(p_planned_ats)];
  v_plan.fired_task := p_ids[cardinality(p_ids)];
  if watches_tasks(v_plan) then
    v_plan.live := v_plan.live || p_ids;
  end if;
  if v_plan.drift = 'finished' then
    v_plan.next_at := null;
  end if;
  return v_plan;
end;
$$;
