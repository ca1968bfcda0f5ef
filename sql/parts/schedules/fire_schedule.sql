-- fire_schedule() — fires or skips what is due of one schedule, whose row the caller holds
--
-- Answers how many planned times it wrote down: about p_most of them, if there are more.

create or replace function fire_schedule(p_schedule schedules, p_now timestamptz, p_most integer)
  returns integer
  language plpgsql
as $$
declare
  v_due  record := settle_times(p_schedule, p_now, p_most);
  v_plan schedules := v_due.plan;
begin
  v_plan := note_fired(v_plan, v_due.fires, enqueue_own(v_plan, v_due.fires, v_due.run_ats, 'schedule'));
  if v_plan.next_at is null and v_plan.drift = 'finished' and v_plan.live <> '{}' then
    v_plan.look_at := p_now + interval '1 second';
  end if;
  perform move_on(array[v_plan]);
  return v_due.settled;
end;
$$;
