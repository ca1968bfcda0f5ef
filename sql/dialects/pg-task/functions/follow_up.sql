-- follow_up() — before the end of a task is committed: its repetition, and the pause after it
--
-- At the very end of the transaction, when all that finish() locks is held. With the
-- group of the pause in hand no other task of it can start meanwhile. A row that
-- cannot be read any more has no repetition; it must not keep others from ending.

create or replace function follow_up()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
  set intervalstyle = 'postgres'
as $$
declare
  v_row  task_row;
  v_zone text := new.meta #>> '{pg_task,zone}';
begin
  v_row := row_of(new.run_at, new.id, new.meta, new.payload);
  if v_row.repeat > interval '0' and new.state <> 'cancelled' then
    perform repeat_task(new.queue, v_row, v_zone, new.submitted_by, new.payload, new.finished_at);
  end if;
  if v_row.max < 0 and new.started_at is not null then
    perform pause_group_tasks(new.queue, new.groups[1], v_row, new.finished_at);
  end if;
  return null;
exception when data_exception or not_null_violation or check_violation then
  raise warning 'task % is not repeated: %', new.id, sqlerrm;
  return null;
end;
$$;
