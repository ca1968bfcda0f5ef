-- next_pause() — when a task with a negative max may start, after another has ended at p_now

create or replace function next_pause(p_plan timestamptz, p_max integer, p_drift boolean, p_now timestamptz)
  returns timestamptz
  language sql
  immutable
as $$
  select case
    when p_drift or p_plan > p_now then p_now + pause
    else p_plan + pause * (floor(extract(epoch from p_now - p_plan) / extract(epoch from pause)) + 1)::double precision
  end
  from (select make_interval(secs => -p_max::double precision / 1000)) as given (pause);
$$;
