-- move_on() — stores where schedules stand after they have fired

create or replace function move_on(p_schedules schedules[])
  returns void
  language plpgsql
as $$
begin
  update schedules
  set next_at      = new.next_at,
      look_at      = new.look_at,
      anchor       = new.anchor,
      missed_until = new.missed_until,
      fired_at     = new.fired_at,
      fired_task   = new.fired_task,
      live         = new.live,
      failures     = 0,
      error        = null
  from unnest(p_schedules) as new
  where schedules.name = new.name;
end;
$$;
