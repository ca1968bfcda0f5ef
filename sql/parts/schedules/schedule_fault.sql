-- schedule_fault() — what is wrong with the settings of a schedule; null when nothing is

create or replace function schedule_fault(p_schedule schedules)
  returns text
  language sql
  stable
as $$
  select case
    when num_nonnulls(p_schedule.cron, p_schedule.every, p_schedule.at) = 0
      then 'it needs one of cron, every and at'
    when not isfinite(p_schedule.at) or not isfinite(p_schedule.starts_at) or not isfinite(p_schedule.ends_at)
      then 'at, starts_at and ends_at must be points in time'
    -- A little is added to them, and taken away.
    when least(p_schedule.at, p_schedule.starts_at, p_schedule.ends_at) < '4000-01-01 BC'
      or greatest(p_schedule.at, p_schedule.starts_at, p_schedule.ends_at) > '290000-01-01'
      then 'at, starts_at and ends_at must lie between the years 4000 BC and 290000'
    when p_schedule.ends_at < p_schedule.starts_at then 'it ends before it starts'
    when p_schedule.jitter < interval '0' or p_schedule.jitter > interval '1 day' then 'jitter must be from nothing to 1 day'
    when p_schedule.misfire not in ('once', 'skip', 'all')
      then format('misfire %L is unknown; use once, skip or all', p_schedule.misfire)
    when p_schedule.misfire_after < interval '1 second' then 'misfire_after must be 1 second or more'
    when p_schedule.catch_up not between 1 and 1000 then 'catch_up must be from 1 to 1000'
    when p_schedule.overlap not in ('allow', 'skip', 'queue', 'cancel')
      then format('overlap %L is unknown; use allow, skip, queue or cancel', p_schedule.overlap)
    when p_schedule.drift not in ('planned', 'finished')
      then format('drift %L is unknown; use planned or finished', p_schedule.drift)
    when p_schedule.drift = 'finished' and p_schedule.every is null then 'drift finished needs every'
    when p_schedule.drift = 'finished' and p_schedule.misfire = 'all'
      then 'with drift finished nothing can be missed twice; use misfire once or skip'
    when p_schedule.keep < interval '0' then 'keep must not be negative'
    -- Taken from the time of day by fire() and sweep(), which would find that the calendar has not begun.
    when greatest(p_schedule.keep, p_schedule.misfire_after) > interval '1000 years'
      then 'keep and misfire_after must be 1000 years or less'
    when p_schedule.task is not null and jsonb_typeof(p_schedule.task) <> 'object'
      then 'its task must be an object such as {"queue": "mail"}'
    when p_schedule.task ?| '{run_at,deadline}' then 'its task has its time from the schedule; leave out run_at and deadline'
    when jsonb_typeof(p_schedule.task -> 'meta') not in ('object', 'null') then 'the meta of its task must be an object'
    when p_schedule.overlap = 'queue' and p_schedule.task ->> 'max_running' is not null
      then 'overlap queue lets one task run at a time; leave out max_running of the task'
  end;
$$;
