-- cron_match() — the first local time after p_local that a cron expression names
--
-- A matter of the calendar alone: whether the clocks of a zone ever show that time, or
-- show it twice, is next_cron()'s question.

create or replace function cron_match(p_cron varbit[], p_local timestamp)
  returns timestamp
  language plpgsql
  stable
as $$
declare
  v_from timestamp := date_trunc('second', p_local) + interval '1 second';
  v_day  date := cron_day(p_cron, v_from::date);
  v_time time;
begin
  if v_day = v_from::date then
    v_time := cron_time(p_cron, v_from::time);
    if v_time is null then
      v_day := cron_day(p_cron, v_day + 1);
    end if;
  end if;
  return v_day + coalesce(v_time, cron_time(p_cron, '00:00'));
end;
$$;
