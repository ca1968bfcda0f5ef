-- What a change of the clocks does to a planned time, for previews.

-- find_clock_note() — what a change of the clocks does to a planned time; no row when nothing
--
--   first_of_two, second_of_two   the clocks go back and show this time twice
--   moved                         the clocks go forward over the time that is meant
--
-- A time that is shown twice has another instant with the same reading, as far away as
-- the offsets before and after differ. A time that was moved comes at the end of a gap
-- and is not what the plan says: the calendar alone, asked in UTC, names another.

create or replace function find_clock_note(p_schedule schedules, p_at timestamptz)
  returns table (note text, meant text)
  language plpgsql
  stable
as $$
declare
  v_zone   text := p_schedule.zone;
  v_shown  timestamp := p_at at time zone v_zone;
  v_offset interval := v_shown - (p_at at time zone 'UTC');
  v_before interval := ((p_at - interval '26 hours') at time zone v_zone)
    - ((p_at - interval '26 hours') at time zone 'UTC');
  v_after  interval := ((p_at + interval '26 hours') at time zone v_zone)
    - ((p_at + interval '26 hours') at time zone 'UTC');
  v_just   timestamp := (p_at - interval '1 second') at time zone v_zone;
  v_meant  timestamp := v_shown;
begin
  if p_schedule.at is not null or v_before = v_after then
    return;
  end if;
  if v_offset <> v_after and (p_at + (v_offset - v_after)) at time zone v_zone = v_shown then
    note := 'first_of_two';
  elsif v_offset <> v_before and (p_at - (v_before - v_offset)) at time zone v_zone = v_shown then
    note := 'second_of_two';
  elsif v_shown - v_just > interval '1 second' and not follows_real_time(p_schedule) then
    v_meant := next_named_time(p_schedule, v_just + interval '1 second');
    if v_meant < v_shown then
      note := 'moved';
    end if;
  end if;
  if note is not null then
    meant := to_char(v_meant, 'HH24:MI');
    return next;
  end if;
end;
$$;

-- next_named_time() — the first time at or after a local one that a schedule names, whether the clocks show it or not

create or replace function next_named_time(p_schedule schedules, p_local timestamp)
  returns timestamp
  language plpgsql
  stable
as $$
declare
  v_from timestamptz := (p_local - interval '1 microsecond') at time zone 'UTC';
begin
  return case
    when p_schedule.cron is not null then next_cron(p_schedule.bits, 'UTC', v_from)
    else next_every(p_schedule.every, 'UTC',
                    (p_schedule.anchor at time zone p_schedule.zone) at time zone 'UTC', v_from)
  end at time zone 'UTC';
end;
$$;

-- follows_real_time() — whether a schedule comes whenever its time is shown, and never moves one that is not

create or replace function follows_real_time(p_schedule schedules)
  returns boolean
  language plpgsql
  stable
as $$
begin
  if p_schedule.cron is not null then
    return position(B'0' in p_schedule.bits[3]) = 0;
  end if;
  return is_real_time(p_schedule.every);
end;
$$;
