-- Schedules: their planned times.

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
    coalesce(p_schedule.starts_at - interval '1 microsecond',
             case when p_schedule.every is not null then p_schedule.anchor end));
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

-- occurrence_run_at() — when the task of a planned time may run: then, put off by its share of the jitter
--
-- The share is drawn from the name and the time, so every session that fires it draws the same.

create or replace function occurrence_run_at(p_schedule schedules, p_planned_at timestamptz, p_from timestamptz)
  returns timestamptz
  language sql
  immutable
as $$
  select p_from + p_schedule.jitter * (
    (hashtextextended(p_schedule.name || extract(epoch from p_planned_at)::text, 0) & 1048575) / 1048576.0
  )::float8;
$$;

-- plan_from_end() — plans the next time of a schedule from the end of its last task
--
-- Until its tasks have ended the schedule has no next time, and is looked at again in
-- a second. A task that was not kept has ended when this is seen.

create or replace function plan_from_end(p_schedule schedules, p_now timestamptz)
  returns schedules
  language plpgsql
as $$
declare
  v_schedule schedules := p_schedule;
  v_ended_at timestamptz;
begin
  if live_tasks(v_schedule.live) <> '{}' then
    v_schedule.look_at := p_now + interval '1 second';
    return v_schedule;
  end if;
  select max(finished_at) into v_ended_at from finished where id = any (v_schedule.live);
  v_schedule.anchor := date_trunc('milliseconds', coalesce(v_ended_at, p_now));
  v_schedule.live := '{}';
  v_schedule.next_at := next_planned(v_schedule, v_schedule.anchor);
  v_schedule.look_at := v_schedule.next_at;
  return v_schedule;
end;
$$;

-- preview() — planned times of a schedule from now or p_from on, as the clocks of its zone show them

create or replace function preview(p_schedule schedules, p_count integer, p_from timestamptz)
  returns table (planned_at timestamptz, local text, note text, meant text)
  language plpgsql
  stable
as $$
begin
  if p_count is null or p_count not between 1 and 1000 then
    perform refuse('TK004', format('the count of a preview cannot be %s', coalesce(p_count::text, 'null')),
                   'Give a number from 1 to 1000.');
  end if;
  planned_at := next_planned(p_schedule, coalesce(p_from - interval '1 microsecond', clock_timestamp()));
  while planned_at is not null and p_count > 0 loop
    local := local_text(planned_at, p_schedule.zone);
    select * into note, meant from find_clock_note(p_schedule, planned_at);
    return next;
    p_count := p_count - 1;
    planned_at := next_planned(p_schedule, planned_at);
  end loop;
end;
$$;
