-- next_planned() — the first planned time of a schedule after p_after; null when none comes
--
-- Not before its start, not after its end; both may be planned times themselves. An
-- interval without a start comes first when it is over.

create or replace function next_planned(p_schedule schedules, p_after timestamptz)
  returns timestamptz
  language plpgsql
  stable
as $$
declare
  v_after timestamptz := greatest(
    p_after,
    coalesce(p_schedule.starts_at - interval '1 microsecond', case when p_schedule.every is not null then p_schedule.anchor end));
  v_next  timestamptz;
begin
  v_next := case
    when p_schedule.cron is not null then next_cron(p_schedule.bits, p_schedule.zone, v_after)
    when p_schedule.every is not null then next_every(p_schedule.every, p_schedule.zone, p_schedule.anchor, v_after)
    when p_schedule.at > v_after then p_schedule.at
  end;
  return case when v_next > p_schedule.ends_at then null else v_next end;
end;
$$;
