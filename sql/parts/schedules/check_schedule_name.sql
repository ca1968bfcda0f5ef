-- check_schedule_name() — refuses what cannot be the name of a schedule

create or replace function check_schedule_name(p_name text)
  returns void
  language plpgsql
as $$
begin
  if coalesce(p_name, '') = '' or length(p_name) > bound('name') then
    perform refuse('TK004', format('%L is not the name of a schedule', left(p_name, 100)), format('A name has 1 to %s characters.', bound('name')));
  end if;
end;
$$;
