-- store_schedule() — set_schedule(), for a caller that says whether all of its times may lie behind
--
-- Then it is over from the beginning: what was past before it was known was not missed.

create or replace function store_schedule(p_name text, p_settings jsonb, p_may_be_over boolean)
  returns schedules
  language plpgsql
as $$
declare
  v_before jsonb := described('schedule', p_name);
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
    v_new := changed_schedule(v_old, p_settings);
    if v_new.task is distinct from v_old.task then
      v_new.task := with_sql_role(v_new.task);
    end if;
    if v_new.task is null then
      perform refuse_schedule(p_name, 'it needs a task such as {"queue": "mail"}');
    end if;
    perform require_schedule(v_new);
    if to_jsonb(v_new) = to_jsonb(v_old) and may_enqueue(v_old.set_by) then
      -- It is now kept up by this token, which may have replaced the one it was set with.
      update schedules set token = v_token where name = p_name and token is distinct from v_token and pause_reason is null;
      return v_old;
    end if;
    v_new.token := v_token;
    v_new := save_schedule(v_old, v_new, v_now, p_may_be_over);
    -- Null: somebody made one of this name meanwhile; then it is a change.
    exit when v_new.name is not null;
  end loop;
  perform pg_notify(current_schema() || ':schedules', p_name);
  perform note_change('set_schedule', 'schedule', p_name, v_before);
  return v_new;
end;
$$;
