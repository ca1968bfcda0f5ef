-- pause_schedule() — nothing more of a schedule fires; its times are written down as skipped
--
-- Tasks that it made go on.

create or replace function pause_schedule(p_name text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('schedule', p_name);
begin
  perform hold_schedule(p_name);
  update schedules set paused_at = coalesce(paused_at, clock_timestamp()) where name = p_name;
  perform pg_notify(current_schema() || ':schedules', p_name);
  perform audit_change('pause_schedule', 'schedule', p_name, v_before);
end;
$$;
