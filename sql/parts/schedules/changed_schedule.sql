-- changed_schedule() — a schedule with new settings, refused if they make no sense
--
-- What is not named stays as it is; null puts the default back. Of cron, every and at
-- the one that is given takes the place of the others.

create or replace function changed_schedule(p_schedule schedules, p_settings jsonb)
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
  v_new := with_defaults(v_new);
  perform check_zone(v_new.zone);
  foreach v_name in array array['starts_at', 'ends_at', 'at'] loop
    if v_settings ->> v_name is not null then
      v_settings := v_settings || jsonb_build_object(v_name, time_in_zone(v_settings ->> v_name, v_new.zone));
    end if;
  end loop;
  v_new := jsonb_populate_record(v_new, v_settings - '{task,cron,every,zone,jitter,misfire,misfire_after,catch_up,overlap,drift,keep}'::text[]);

  v_new.bits := case when v_new.cron is not null then parse_cron(v_new.cron) end;
  if v_new.every is not null then
    perform check_every(v_new.every);
  end if;
  v_fault := schedule_fault(v_new);
  if v_fault is not null then
    perform refuse_schedule(p_schedule.name, v_fault);
  end if;
  v_new.task := normal_template(v_new.task);
  return v_new;
exception
  when data_exception then
    perform refuse_schedule(p_schedule.name, sqlerrm);
end;
$$;
