-- meant_time() — the first time at or after a local one that a schedule names, whether the clocks show it or not

create or replace function meant_time(p_schedule schedules, p_local timestamp)
  returns timestamp
  language plpgsql
  stable
as $$
declare
  v_from timestamptz := (p_local - interval '1 microsecond') at time zone 'UTC';
begin
  return case
    when p_schedule.cron is not null then next_cron(p_schedule.bits, 'UTC', v_from)
    else next_every(p_schedule.every, 'UTC', (p_schedule.anchor at time zone p_schedule.zone) at time zone 'UTC', v_from)
  end at time zone 'UTC';
end;
$$;
