-- hold_schedule() — locks a schedule until commit; refuses when there is none, or the caller may not operate it

create or replace function hold_schedule(p_name text)
  returns schedules
  language plpgsql
as $$
declare
  v_plan schedules;
begin
  select * into v_plan from schedules where name = p_name for update;
  if not found then
    perform refuse_no_schedule(p_name);
  end if;
  perform require_schedule(v_plan);
  return v_plan;
end;
$$;
