-- check_schedule_name() — refuses what cannot be the name of a schedule

create or replace function check_schedule_name(p_name text)
  returns void
  language plpgsql
as $$
begin
  if coalesce(p_name, '') = '' or length(p_name) > 200 then
    perform refuse('TK004', format('%L is not the name of a schedule', left(p_name, 100)), 'A name has 1 to 200 characters.');
  end if;
end;
$$;
