-- tell_waiters() — rings those who wait for these tasks to end

create or replace function tell_waiters(p_tasks bigint[])
  returns void
  language plpgsql
as $$
declare
  v_task bigint;
begin
  for v_task in
    select distinct task from waiters where task = any (p_tasks)
  loop
    perform pg_notify(current_schema() || ':finished', v_task::text);
  end loop;
end;
$$;
