-- note_fired() — a schedule that remembers what it fired last
--
-- p_ids has null where a key kept the task out.

create or replace function note_fired(p_schedule schedules, p_planned_ats timestamptz[], p_ids bigint[])
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
  if watches_tasks(v_plan) then
    v_plan.live := v_plan.live || array_remove(p_ids, null);
  end if;
  if v_plan.drift = 'finished' then
    v_plan.next_at := null;
  end if;
  return v_plan;
end;
$$;
