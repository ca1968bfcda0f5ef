-- end_procedure(): running → done, in the transaction with which the procedure ends

create or replace function end_procedure()
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_run record := read_run();
begin
  perform require_own_transaction('its end');
  if end_tasks(array[v_run.id], array[v_run.claim], 'done') = '{}' then
    perform require_held(v_run.id, v_run.claim, false);
  end if;
end;
$$;
