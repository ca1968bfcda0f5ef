-- settle_due() — writes down every planned time of a schedule up to now, before its times change
--
-- The caller holds its row. What an error keeps from firing is written down as such.

create or replace function settle_due(p_schedule schedules, p_now timestamptz)
  returns schedules
  language plpgsql
as $$
declare
  v_plan schedules := p_schedule;
  v_due  timestamptz[];
begin
  while v_plan.next_at <= p_now loop
    begin
      perform fire_schedule(v_plan, p_now, 10000);
    exception
      when others then
        v_due := planned_times(v_plan, v_plan.next_at, p_now, 10000);
        perform skip_occurrences(v_plan, v_due, 'error', p_now);
        update schedules set next_at = next_planned(v_plan, v_due[cardinality(v_due)]) where name = v_plan.name;
    end;
    select * into v_plan from schedules where name = v_plan.name;
  end loop;
  return v_plan;
end;
$$;
