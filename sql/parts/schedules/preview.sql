-- preview() — planned times of a schedule from now or p_from on, in words for people

create or replace function preview(p_schedule schedules, p_count integer, p_from timestamptz)
  returns table (planned_at timestamptz, local text, note text)
  language plpgsql
  stable
as $$
begin
  if p_count is null or p_count not between 1 and 1000 then
    perform refuse('TK004', format('a preview cannot have %s times', coalesce(p_count::text, 'null')), 'Give a number from 1 to 1000.');
  end if;
  planned_at := next_planned(p_schedule, coalesce(p_from - interval '1 microsecond', clock_timestamp()));
  while planned_at is not null and p_count > 0 loop
    local := local_text(planned_at, p_schedule.zone);
    note := clock_note(p_schedule, planned_at);
    return next;
    p_count := p_count - 1;
    planned_at := next_planned(p_schedule, planned_at);
  end loop;
end;
$$;
