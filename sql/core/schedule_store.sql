-- Schedules: stored, with their next planned time.

-- store_schedule() — set_schedule(), for a caller that says whether all of its times may lie behind
--
-- Then it is over from the beginning: what was past before it was known was not missed.

create or replace function store_schedule(p_name text, p_settings jsonb, p_may_be_over boolean)
  returns schedules
  language plpgsql
as $$
declare
  v_before jsonb := describe_for_audit('schedule', p_name);
  v_now timestamptz := clock_timestamp();
  v_token bigint := calling_token();
  v_old schedules;
  v_new schedules;
begin
  perform check_schedule_name(p_name);
  loop
    select * into v_old from schedules where name = p_name for update;
    if not found then
      v_old := new_schedule(p_name, v_now);
    end if;
    perform require_schedule(v_old);
    v_new := apply_schedule_settings(v_old, p_settings);
    if v_new.task is distinct from v_old.task then
      v_new.task := add_sql_role(v_new.task);
    end if;
    if v_new.task is null then
      perform refuse_schedule(p_name, 'it needs a task such as {"queue": "mail"}');
    end if;
    perform require_schedule(v_new);
    if to_jsonb(v_new) = to_jsonb(v_old) and may_enqueue(v_old.set_by) then
      -- It is now kept up by this token, which may have replaced the one it was set with.
      update schedules set token = v_token
      where name = p_name and token is distinct from v_token and pause_reason is null;
      return v_old;
    end if;
    v_new.token := v_token;
    v_new := save_schedule(v_old, v_new, v_now, p_may_be_over);
    -- Null: another session made one of this name meanwhile; then it is a change.
    exit when v_new.name is not null;
  end loop;
  perform pg_notify(current_schema() || ':schedules', p_name);
  perform audit_change('set_schedule', 'schedule', p_name, v_before);
  return v_new;
end;
$$;

-- save_schedule() — stores a schedule that is new or has changed, with its next time
--
-- The caller holds the row, if there is one. Answers with nothing when there is one
-- after all, made meanwhile by another session.

create or replace function save_schedule(p_old schedules, p_new schedules, p_now timestamptz, p_may_be_over boolean)
  returns schedules
  language plpgsql
as $$
declare
  v_is_new boolean := p_old.revision = 0;
  v_new    schedules := p_new;
  v_plan   schedules;
begin
  -- From now on its tasks are in the name of who sets it.
  if row(p_new.task, p_new.overlap, submitter()) is distinct from row(p_old.task, p_old.overlap, p_old.set_by) then
    perform check_template(p_new);
  end if;
  if changes_times(p_old, p_new) then
    if not v_is_new then
      v_plan := record_due_times(p_old, p_now);
      v_new.live := v_plan.live;
      v_new.fired_at := v_plan.fired_at;
      v_new.fired_task := v_plan.fired_task;
    end if;
  end if;
  if tracks_tasks(v_new) and not coalesce(tracks_tasks(p_old), false) then
    v_new.live := live_tasks(array(
      select task from occurrences where schedule = v_new.name and outcome = 'fired'
      order by planned_at desc limit 1000));
  elsif not tracks_tasks(v_new) then
    v_new.live := '{}';
  end if;
  if changes_times(p_old, p_new) then
    v_new := replan(p_old, v_new, p_now, p_may_be_over);
  elsif v_new.error is not null then
    v_new.look_at := p_now;
  end if;
  v_new.failures := 0;
  v_new.error := null;
  v_new.revision := p_old.revision + 1;
  v_new.set_by := submitter();
  v_new.updated_at := p_now;

  if v_is_new then
    insert into schedules select v_new.* on conflict (name) do nothing;
    if not found then
      return null;
    end if;
  else
    update schedules
    set next_at       = v_new.next_at,
        look_at       = v_new.look_at,
        starts_at     = v_new.starts_at,
        ends_at       = v_new.ends_at,
        anchor        = v_new.anchor,
        missed_until  = v_new.missed_until,
        fired_at      = v_new.fired_at,
        fired_task    = v_new.fired_task,
        at            = v_new.at,
        every         = v_new.every,
        cron          = v_new.cron,
        bits          = v_new.bits,
        zone          = v_new.zone,
        jitter        = v_new.jitter,
        misfire       = v_new.misfire,
        misfire_after = v_new.misfire_after,
        catch_up      = v_new.catch_up,
        overlap       = v_new.overlap,
        drift         = v_new.drift,
        keep          = v_new.keep,
        live          = v_new.live,
        failures      = v_new.failures,
        error         = v_new.error,
        revision      = v_new.revision,
        set_by        = v_new.set_by,
        updated_at    = v_new.updated_at,
        token         = v_new.token,
        task          = v_new.task
    where name = v_new.name;
  end if;
  if v_new.overlap = 'queue' then
    perform change_group('schedule:' || v_new.name, '{"max_running": 1}');
  elsif p_old.overlap = 'queue' then
    perform change_group('schedule:' || v_new.name, '{"max_running": null}');
  end if;
  return v_new;
end;
$$;

-- replan() — gives a schedule whose times have changed its next one, from now on
--
-- An interval goes on counting from where it did, unless it is another or begins anew.
-- One that has no time left is refused, or is over, as the caller says.

create or replace function replan(p_old schedules, p_new schedules, p_now timestamptz, p_may_be_over boolean)
  returns schedules
  language plpgsql
as $$
declare
  v_new schedules := p_new;
begin
  if row(p_old.every::text, p_old.starts_at, p_old.drift)
     is distinct from row(v_new.every::text, v_new.starts_at, v_new.drift) then
    v_new.anchor := coalesce(v_new.starts_at, date_trunc('milliseconds', p_now));
  end if;
  v_new.missed_until := null;
  v_new.next_at := next_planned(v_new, p_now);
  if v_new.next_at is null and p_may_be_over then
    v_new.look_at := null;
    return v_new;
  elsif v_new.next_at is null then
    perform refuse_schedule(v_new.name, 'it has no time left to come');
  end if;
  if v_new.drift = 'finished' and v_new.live <> '{}' then
    v_new.next_at := null;
  end if;
  v_new.look_at := coalesce(v_new.next_at, p_now);
  return v_new;
end;
$$;

-- changes_times() — whether a change of a schedule's settings changes its planned times

create or replace function changes_times(p_old schedules, p_new schedules)
  returns boolean
  language sql
  immutable
as $$
  select row(p_old.cron, p_old.every::text, p_old.at, p_old.zone, p_old.starts_at, p_old.ends_at, p_old.drift)
    is distinct from row(p_new.cron, p_new.every::text, p_new.at, p_new.zone, p_new.starts_at, p_new.ends_at,
                         p_new.drift);
$$;

-- check_schedule_name() — refuses what cannot be the name of a schedule

create or replace function check_schedule_name(p_name text)
  returns void
  language plpgsql
as $$
begin
  if coalesce(p_name, '') = '' or length(p_name) > bound('name') then
    perform refuse('TK004', format('%L is not the name of a schedule', left(p_name, 100)),
                   format('A name has 1 to %s characters.', bound('name')));
  end if;
end;
$$;
