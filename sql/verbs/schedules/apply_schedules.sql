-- apply_schedules() — makes the schedules what a configuration says; answers what it did to each
--
--   select * from apply_schedules('{"report": {"task": {"queue": "reports"}, "cron": "@daily"}}');
--
-- Each is set as a whole: what its settings do not name is the default. One that is so
-- already is kept, with its next time. With p_prune, schedules that the configuration
-- does not name are deleted. One whose times all lie behind is refused; with
-- p_may_be_over it is written down as over, and nothing of it fires: a configuration is
-- applied for years, and to databases that have never seen it. All or nothing.

create or replace function apply_schedules(
  p_schedules   jsonb,
  p_prune       boolean default false,
  p_may_be_over boolean default false
)
  returns table (name text, outcome text)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_settings jsonb;
  v_before   integer;
  v_after    schedules;
  v_all      boolean := sees_all();
  v_unset    jsonb := (select jsonb_object_agg(setting, null) from unnest(schedule_settings()) as setting);
begin
  if jsonb_typeof(p_schedules) is distinct from 'object' then
    perform refuse('TK004', 'schedules must be an object of settings by name',
                   'Write {"report": {"task": {"queue": "reports"}, "cron": "@daily"}}.');
  end if;
  -- What will be deleted too, in one order: two that apply at once do not wait for each other.
  perform from schedules where p_prune or p_schedules ? schedules.name order by schedules.name for update;
  for name, v_settings in
    select key, value from jsonb_each(p_schedules) order by key collate "C"
  loop
    if jsonb_typeof(v_settings) <> 'object' then
      perform refuse_schedule(name, 'its settings must be a JSON object');
    end if;
    select revision into v_before from schedules where schedules.name = apply_schedules.name;
    v_after := store_named_schedule(apply_schedules.name, v_unset || v_settings, p_may_be_over);
    -- Another session may have made it after we looked: then it has been changed.
    outcome := case
      when v_before = v_after.revision then 'kept'
      when v_after.look_at is null then 'over'
      when v_before is null and v_after.revision = 1 then 'created'
      else 'changed'
    end;
    return next;
  end loop;
  if p_prune then
    for name in
      select schedules.name from schedules
      where not p_schedules ? schedules.name
        -- Those of queues that others operate are not this configuration's.
        and (v_all or may_use('operate', schedules.task ->> 'queue', (select submitter())))
      order by schedules.name
    loop
      perform delete_schedule(apply_schedules.name);
      outcome := 'deleted';
      return next;
    end loop;
  end if;
end;
$$;

-- store_named_schedule() — store_schedule() for one of many: whatever is wrong, says of which it is

create or replace function store_named_schedule(p_name text, p_settings jsonb, p_may_be_over boolean)
  returns schedules
  language plpgsql
as $$
declare
  v_hint text;
begin
  return store_schedule(p_name, p_settings, p_may_be_over);
exception
  when sqlstate 'TK004' or sqlstate 'TK005' then
    get stacked diagnostics v_hint = pg_exception_hint;
    perform refuse(
      sqlstate,
      case when left(sqlerrm, 9) = 'schedule ' then sqlerrm
           else format('schedule %s is invalid: %s', p_name, sqlerrm) end,
      v_hint);
end;
$$;
