-- check_backfill() — refuses a range that cannot be filled
--
-- What was swept may have fired: nobody knows any more, so it is not fired again.

create or replace function check_backfill(p_schedule schedules, p_from timestamptz, p_to timestamptz, p_limit integer)
  returns void
  language plpgsql
as $$
begin
  if p_from is null or p_to is null or not isfinite(p_from) or not isfinite(p_to) or p_from > p_to then
    perform refuse('TK004', 'a range needs two points in time, the earlier first', 'Write backfill(''report'', ''2026-11-01'', ''2026-11-08'').');
  end if;
  if p_limit is null or p_limit not between 1 and 10000 then
    perform refuse('TK004', format('the limit cannot be %s', coalesce(p_limit::text, 'null')), 'Give a number from 1 to 10000.');
  end if;
  if p_schedule.drift = 'finished' then
    perform refuse('TK004', format('schedule %s plans from the end of each run, so no time was missed', p_schedule.name), 'Fire it with run_schedule().');
  end if;
  if p_from <= p_schedule.swept_until then
    perform refuse('TK004', format('what schedule %s fired until %s is not known any more', p_schedule.name, p_schedule.swept_until),
                   'Begin after that time; a longer keep lets you go further back.');
  end if;
end;
$$;
