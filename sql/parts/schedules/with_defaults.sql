-- with_defaults() — a schedule in which what was set to null is the default again

create or replace function with_defaults(p_schedule schedules)
  returns schedules
  language plpgsql
as $$
declare
  v_new schedules := p_schedule;
begin
  v_new.zone := coalesce(v_new.zone, 'UTC');
  v_new.jitter := coalesce(v_new.jitter, '0');
  v_new.misfire := coalesce(v_new.misfire, 'once');
  v_new.misfire_after := coalesce(v_new.misfire_after, '1 minute');
  v_new.catch_up := coalesce(v_new.catch_up, 100);
  v_new.overlap := coalesce(v_new.overlap, 'allow');
  v_new.drift := coalesce(v_new.drift, 'planned');
  v_new.keep := coalesce(v_new.keep, '30 days');
  v_new.task := nullif(v_new.task, 'null');
  return v_new;
end;
$$;
