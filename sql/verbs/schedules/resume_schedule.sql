-- resume_schedule() — a paused schedule fires again, from its next time on
--
-- What was planned while it was paused stays skipped; backfill() can fire it. One that was
-- paused because its token was revoked belongs from now on to the token that resumes it.

create or replace function resume_schedule(p_name text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('schedule', p_name);
  v_token bigint := calling_token();
  v_plan schedules := hold_schedule(p_name);
begin
  if v_plan.paused_at is null then
    return;
  end if;
  perform record_due_times(v_plan, clock_timestamp());
  update schedules
  set paused_at    = null,
      token        = case when pause_reason is null then token else v_token end,
      pause_reason = null
  where name = p_name;
  perform pg_notify(current_schema() || ':schedules', p_name);
  perform audit_change('resume_schedule', 'schedule', p_name, v_before);
end;
$$;
