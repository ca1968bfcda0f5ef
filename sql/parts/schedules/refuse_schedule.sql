-- refuse_schedule() — says no to the settings of a schedule

create or replace function refuse_schedule(p_name text, p_fault text)
  returns void
  language plpgsql
as $$
begin
  perform refuse('TK004', format('schedule %s cannot be set so: %s', coalesce(p_name, 'in question'), p_fault), 'Nothing was changed.');
end;
$$;
