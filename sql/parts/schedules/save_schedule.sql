-- save_schedule() — stores a schedule that is new or has changed, with its next time
--
-- The caller holds the row, if there is one. Answers with nothing when there is one
-- after all, made meanwhile by somebody else.

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
  if plans_anew(p_old, p_new) then
    if not v_is_new then
      v_plan := settle_due(p_old, p_now);
      v_new.live := v_plan.live;
      v_new.fired_at := v_plan.fired_at;
      v_new.fired_task := v_plan.fired_task;
    end if;
  end if;
  if watches_tasks(v_new) and not coalesce(watches_tasks(p_old), false) then
    v_new.live := live_tasks(array(
      select task from occurrences where schedule = v_new.name and outcome = 'fired' order by planned_at desc limit 1000));
  elsif not watches_tasks(v_new) then
    v_new.live := '{}';
  end if;
  if plans_anew(p_old, p_new) then
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
        words         = v_new.words,
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
