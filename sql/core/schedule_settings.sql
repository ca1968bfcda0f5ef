-- Schedules: their settings, checked and completed.

-- apply_schedule_settings() — a schedule with new settings, refused if they make no sense
--
-- What is not named stays as it is; null puts the default back. Of cron, every and at
-- the one that is given takes the place of the others.

create or replace function apply_schedule_settings(p_schedule schedules, p_settings jsonb)
  returns schedules
  language plpgsql
as $$
declare
  v_new      schedules;
  v_settings jsonb := p_settings;
  v_name     text;
  v_fault    text;
begin
  perform check_settings(p_settings, schedule_settings());
  perform check_size('settings', 'the settings of the schedule', p_settings - 'task');
  if (select count(*) from unnest(array['cron', 'every', 'at']) as way where p_settings ->> way is not null) > 1 then
    perform refuse_schedule(p_schedule.name, 'it has more than one of cron, every and at');
  end if;
  if coalesce(p_settings ->> 'cron', p_settings ->> 'every', p_settings ->> 'at') is not null then
    v_settings := '{"cron": null, "every": null, "at": null}' || v_settings;
  end if;

  v_new := jsonb_populate_record(p_schedule, v_settings - '{starts_at,ends_at,at}'::text[]);
  v_new := apply_schedule_defaults(v_new);
  perform check_zone(v_new.zone);
  foreach v_name in array array['starts_at', 'ends_at', 'at'] loop
    if v_settings ->> v_name is not null then
      v_settings := v_settings || jsonb_build_object(v_name, time_in_zone(v_settings ->> v_name, v_new.zone));
    end if;
  end loop;
  v_new := jsonb_populate_record(
    v_new, v_settings - '{task,cron,every,zone,jitter,misfire,misfire_after,catch_up,overlap,drift,keep}'::text[]);

  v_new.bits := case when v_new.cron is not null then parse_cron(v_new.cron) end;
  if v_new.every is not null then
    perform check_every(v_new.every);
  end if;
  v_fault := schedule_fault(v_new);
  if v_fault is not null then
    perform refuse_schedule(p_schedule.name, v_fault);
  end if;
  v_new.task := normalize_template(v_new.task);
  return v_new;
exception
  when data_exception then
    perform refuse_schedule(p_schedule.name, sqlerrm);
end;
$$;

-- schedule_settings() — the names of what a schedule can be set to

create or replace function schedule_settings()
  returns text[]
  language sql
  immutable
as $$
  select '{task,cron,every,at,zone,starts_at,ends_at,jitter,misfire,misfire_after,catch_up,overlap,drift,keep}'::text[];
$$;

-- new_schedule() — a schedule before anything is set

create or replace function new_schedule(p_name text, p_now timestamptz)
  returns schedules
  language plpgsql
as $$
declare
  v_new schedules;
begin
  v_new.name := p_name;
  v_new.anchor := p_now;
  v_new.live := '{}';
  v_new.failures := 0;
  v_new.revision := 0;
  v_new.secret := gen_random_uuid();
  v_new.created_by := submitter();
  v_new.created_at := p_now;
  return v_new;
end;
$$;

-- apply_schedule_defaults() — a schedule in which what was set to null is the default again

create or replace function apply_schedule_defaults(p_schedule schedules)
  returns schedules
  language plpgsql
as $$
declare
  v_new schedules := p_schedule;
begin
  v_new.zone := coalesce(v_new.zone, 'UTC');
  v_new.jitter := coalesce(v_new.jitter, '0');
  v_new.misfire := coalesce(v_new.misfire, 'once');
  v_new.misfire_after := coalesce(v_new.misfire_after, '1 minute');
  v_new.catch_up := coalesce(v_new.catch_up, 100);
  v_new.overlap := coalesce(v_new.overlap, 'allow');
  v_new.drift := coalesce(v_new.drift, 'planned');
  v_new.keep := coalesce(v_new.keep, '30 days');
  v_new.task := nullif(v_new.task, 'null');
  return v_new;
end;
$$;

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
      then 'at, starts_at and ends_at must be finite times'
    -- A little is added to them, and taken away.
    when least(p_schedule.at, p_schedule.starts_at, p_schedule.ends_at) < '4000-01-01 BC'
      or greatest(p_schedule.at, p_schedule.starts_at, p_schedule.ends_at) > '290000-01-01'
      then 'at, starts_at and ends_at must lie between the years 4000 BC and 290000'
    when p_schedule.ends_at < p_schedule.starts_at then 'it ends before it starts'
    when p_schedule.jitter < interval '0' or p_schedule.jitter > interval '1 day'
      then 'jitter must be from 0 to 1 day'
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
    when p_schedule.task ?| '{run_at,deadline}'
      then 'its task has its time from the schedule; leave out run_at and deadline'
    when jsonb_typeof(p_schedule.task -> 'meta') not in ('object', 'null') then 'the meta of its task must be an object'
    when p_schedule.overlap = 'queue' and p_schedule.task ->> 'max_running' is not null
      then 'overlap queue lets one task run at a time; leave out max_running of the task'
  end;
$$;

-- refuse_schedule() — says no to the settings of a schedule

create or replace function refuse_schedule(p_name text, p_fault text)
  returns void
  language plpgsql
as $$
begin
  perform refuse('TK004', format('schedule %s is invalid: %s', coalesce(p_name, 'in question'), p_fault),
                 'Nothing was changed.');
end;
$$;

-- normalize_template() — the task of a schedule with its groups as an array, as occurrence_task() adds to them

create or replace function normalize_template(p_task jsonb)
  returns jsonb
  language sql
  stable
as $$
  select case
    when jsonb_typeof(p_task -> 'groups') = 'string'
      then p_task || jsonb_build_object('groups', to_jsonb((p_task ->> 'groups')::text[]))
    else p_task
  end;
$$;
