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
begin
  return (store_schedule(p_name, p_settings, false)).next_at;
end;
$$;
