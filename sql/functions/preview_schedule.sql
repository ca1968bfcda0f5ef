-- preview_schedule() — the next times of a schedule, as the clocks of its zone will show them
--
--   select * from preview_schedule('report', 5);
--
-- From now, or from p_from; note says where a change of the clocks matters. Of a
-- schedule that plans from the end of each run, the earliest times there can be.

create or replace function preview_schedule(p_name text, p_count integer default 10, p_from timestamptz default null)
  returns table (planned_at timestamptz, local text, note text)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
declare
  v_plan schedules;
begin
  select * into v_plan from schedules where name = p_name;
  if not found then
    perform refuse_no_schedule(p_name);
  end if;
  perform require_schedule(v_plan);
  return query select * from preview(v_plan, p_count, p_from);
end;
$$;
