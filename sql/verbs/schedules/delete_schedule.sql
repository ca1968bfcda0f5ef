-- delete_schedule() — a schedule goes, with its occurrences; tasks that it made stay
--
-- What was due and not fired yet goes with it.

create or replace function delete_schedule(p_name text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('schedule', p_name);
  v_plan schedules := hold_schedule(p_name);
begin
  delete from occurrences where schedule = p_name;
  delete from schedules where name = p_name;
  if v_plan.overlap = 'queue' then
    perform change_group('schedule:' || p_name, '{"max_running": null}');
  end if;
  perform pg_notify(current_schema() || ':schedules', p_name);
  perform audit_change('delete_schedule', 'schedule', p_name, v_before);
end;
$$;
