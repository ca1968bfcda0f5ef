-- repeat_task() — the repetition of a task that has ended, at its next plan
--
-- In the name of the one who inserted the first, with that one's role.

create or replace function repeat_task(
  p_queue text, p_row task_row, p_zone text, p_by text, p_payload jsonb, p_now timestamptz
)
  returns void
  language plpgsql
as $$
declare
  v_settings jsonb := p_payload -> 'settings';
  v_row      task_row := p_row;
  v_task     tasks;
begin
  v_row.plan := next_plan(p_row.plan, p_row.repeat, p_row.drift, p_zone, p_now);
  if v_row.plan is null then
    return;
  end if;
  v_task := engine_task(
    v_row, p_queue, v_settings ->> 'pg_task.schema', v_settings ->> 'pg_task.table', (v_settings ->> 'pg_task.oid')::oid, p_zone);
  v_task.payload := p_payload;
  v_task.submitted_by := p_by;
  perform store_task(v_task);
end;
$$;
