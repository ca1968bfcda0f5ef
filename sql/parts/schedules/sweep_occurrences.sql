-- sweep_occurrences() — forgets occurrences that are older than their schedule keeps them
--
-- Remembers up to when: backfill() must not take for missing what has fired. fire()
-- never goes back behind next_at, so nothing that is swept can come again. A schedule
-- that somebody holds is left to the next time, and none is held for longer than the
-- deletion takes: fire() passes over what is held.

create or replace function sweep_occurrences(p_limit integer, p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_name text;
  v_plan schedules;
begin
  for v_name in
    select name from schedules
    where exists (select from occurrences where schedule = name and planned_at < p_now - keep)
    order by name
  loop
    select * into v_plan from schedules where name = v_name for update skip locked;
    continue when not found;
    with old as (
      select planned_at
      from occurrences
      where schedule = v_name and planned_at < least(p_now - v_plan.keep, v_plan.next_at)
      order by planned_at
      limit p_limit
    ), gone as (
      delete from occurrences
      using old
      where occurrences.schedule = v_name and occurrences.planned_at = old.planned_at
      returning occurrences.planned_at
    )
    update schedules
    set swept_until = last.planned_at
    from (select max(planned_at) as planned_at from gone) as last
    where name = v_name and last.planned_at is not null;
  end loop;
end;
$$;
