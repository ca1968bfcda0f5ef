-- planned_times() — the planned times of a schedule from p_first, which is one, to p_until, in order
--
-- At most p_most of them. Every second of a day is a series, not a walk.

create or replace function planned_times(p_schedule schedules, p_first timestamptz, p_until timestamptz, p_most integer)
  returns timestamptz[]
  language plpgsql
  stable
as $$
declare
  v_until timestamptz := least(p_until, p_schedule.ends_at);
  v_at    timestamptz := p_first;
  v_times timestamptz[] := '{}';
begin
  if is_real_time(p_schedule.every) then
    return array(select * from generate_series(p_first, v_until, p_schedule.every) limit p_most);
  end if;
  while v_at <= v_until and cardinality(v_times) < p_most loop
    v_times := v_times || v_at;
    v_at := case
      when p_schedule.bits is not null then next_cron(p_schedule.bits, p_schedule.zone, v_at)
      else next_planned(p_schedule, v_at)
    end;
  end loop;
  return v_times;
end;
$$;
