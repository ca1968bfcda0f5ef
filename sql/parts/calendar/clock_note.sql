-- clock_note() — what a change of the clocks does to a planned time; null when nothing
--
-- A time that is shown twice has another instant with the same reading, as far away as
-- the offsets before and after differ. A time that was moved comes at the end of a gap
-- and is not what the plan says: the calendar alone, asked in UTC, names another.

create or replace function clock_note(p_schedule schedules, p_at timestamptz)
  returns text
  language plpgsql
  stable
as $$
declare
  v_zone   text := p_schedule.zone;
  v_shown  timestamp := p_at at time zone v_zone;
  v_offset interval := v_shown - (p_at at time zone 'UTC');
  v_before interval := ((p_at - interval '26 hours') at time zone v_zone) - ((p_at - interval '26 hours') at time zone 'UTC');
  v_after  interval := ((p_at + interval '26 hours') at time zone v_zone) - ((p_at + interval '26 hours') at time zone 'UTC');
  v_just   timestamp := (p_at - interval '1 second') at time zone v_zone;
  v_meant  timestamp;
begin
  if p_schedule.at is not null or v_before = v_after then
    return null;
  end if;
  if v_offset <> v_after and (p_at + (v_offset - v_after)) at time zone v_zone = v_shown then
    return format('the clocks go back: the first of two %s', to_char(v_shown, 'HH24:MI'));
  elsif v_offset <> v_before and (p_at - (v_before - v_offset)) at time zone v_zone = v_shown then
    return format('the clocks go back: the second of two %s', to_char(v_shown, 'HH24:MI'));
  elsif v_shown - v_just > interval '1 second' and not follows_real_time(p_schedule) then
    v_meant := meant_time(p_schedule, v_just + interval '1 second');
    if v_meant < v_shown then
      return format('%s does not exist: moved to %s', to_char(v_meant, 'HH24:MI'), to_char(v_shown, 'HH24:MI'));
    end if;
  end if;
  return null;
end;
$$;
