-- check_run_at() — refuses a time that never comes

create or replace function check_run_at(p_run_at timestamptz)
  returns void
  language plpgsql
as $$
begin
  if p_run_at is null or not isfinite(p_run_at) then
    perform refuse('TK004', 'run_at must be a point in time', 'Give a time such as now() + interval ''1 hour''.');
  end if;
end;
$$;
