-- plan_from_end() — plans the next time of a schedule from the end of its last task
--
-- Until its tasks have ended the schedule has no next time, and is looked at again in
-- a second. A task that was not kept has ended when this is seen.

create or replace function plan_from_end(p_schedule schedules, p_now timestamptz)
  returns schedules
  language plpgsql
as $$
declare
  v_schedule schedules := p_schedule;
  v_ended_at timestamptz;
begin
  if live_tasks(v_schedule.live) <> '{}' then
    v_schedule.look_at := p_now + interval '1 second';
    return v_schedule;
  end if;
  select max(finished_at) into v_ended_at from finished where id = any (v_schedule.live);
  v_schedule.anchor := date_trunc('milliseconds', coalesce(v_ended_at, p_now));
  v_schedule.live := '{}';
  v_schedule.next_at := next_planned(v_schedule, v_schedule.anchor);
  v_schedule.look_at := v_schedule.next_at;
  return v_schedule;
end;
$$;
