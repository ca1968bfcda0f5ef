-- next_plan() — when a task that repeats is to run again
--
-- With drift, so long after its end; without, at the first point after p_now of the
-- grid that its plan began. Found by counting, however many points were missed; only
-- months are gone through one by one, because each may cut the day (31 January, 28
-- February, 28 March). Null when there is no such time.

create or replace function next_plan(p_plan timestamptz, p_repeat interval, p_drift boolean, p_zone text, p_now timestamptz)
  returns timestamptz
  language plpgsql
as $$
declare
  v_plan timestamp := p_plan at time zone p_zone;
begin
  if p_drift then
    return ((p_now at time zone p_zone) + p_repeat) at time zone p_zone;
  end if;
  if p_repeat < interval '28 days' or extract(month from p_repeat) + extract(year from p_repeat) = 0 then
    return next_every(p_repeat, p_zone, p_plan, greatest(p_now, p_plan));
  end if;
  loop
    v_plan := v_plan + p_repeat;
    exit when v_plan at time zone p_zone > p_now;
  end loop;
  return v_plan at time zone p_zone;
exception when datetime_field_overflow then
  return null;
end;
$$;
