-- check_setter() — refuses to fire a schedule whose role has lost the right to enqueue
--
-- Tasks of a schedule are submitted in the name of the role that set it. Once that role
-- is dropped or is no producer any more, its schedules must not go on in its name.

create or replace function check_setter(p_schedule schedules)
  returns void
  language plpgsql
as $$
begin
  if not may_enqueue(p_schedule.set_by) then
    perform refuse('TK013', format('role %s, which set schedule %s, may not enqueue any more', p_schedule.set_by, p_schedule.name),
                   'Set the schedule again as a role that may, or delete it.');
  end if;
end;
$$;
