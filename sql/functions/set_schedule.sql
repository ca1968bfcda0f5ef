-- set_schedule() — plans tasks, or changes the plan; answers with the next planned time
--
--   select set_schedule('report', '{"task": {"queue": "reports"}, "cron": "30 2 * * *", "zone": "Europe/Berlin"}');
--   select set_schedule('report', '{"every": "1 hour", "overlap": "skip"}');
--
--   task        what enqueue_many(jsonb) takes for one task, without a time
--   cron        five fields, or six with seconds; every: an interval; at: a single time
--   zone        where cron, days and times without an offset are meant; UTC
--   starts_at   not before, ends_at: not after
--   jitter      each task may run up to so much later
--   misfire     what becomes of times later than misfire_after (1 minute): once fires the
--               newest, skip none, all the newest catch_up (100)
--   overlap     while a task of it is live: allow, skip, queue or cancel
--   drift       every counts from the planned time, or from when the last task finished
--   keep        how long occurrences are kept; 30 days
--
-- What is not named stays as it is; null puts the default back. Settings that are the
-- same change nothing, not even the next time. Others take effect at once: what was
-- planned until now is settled under the old ones, what comes follows the new.

create or replace function set_schedule(p_name text, p_settings jsonb)
  returns timestamptz
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := described('schedule', p_name);
  v_now timestamptz := clock_timestamp();
  v_old schedules;
  v_new schedules;
begin
  perform check_schedule_name(p_name);
  loop
    select * into v_old from schedules where name = p_name for update;
    if not found then
      v_old := new_schedule(p_name, v_now);
    end if;
    v_new := changed_schedule(v_old, p_settings);
    if v_new.task is null then
      perform refuse_schedule(p_name, 'it needs a task such as {"queue": "mail"}');
    end if;
    if to_jsonb(v_new) = to_jsonb(v_old) then
      return v_old.next_at;
    end if;
    v_new := save_schedule(v_old, v_new, v_now);
    -- Null: somebody made one of this name meanwhile; then it is a change.
    exit when v_new.name is not null;
  end loop;
  perform pg_notify(current_schema() || ':schedules', p_name);
  perform note_change('set_schedule', 'schedule', p_name, v_before);
  return v_new.next_at;
end;
$$;
