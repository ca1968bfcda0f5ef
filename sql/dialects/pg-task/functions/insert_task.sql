-- insert_task() — INSERT into a task table: → queued
--
-- Runs as whoever inserts, unless an admin allowed another role; see allow_sql().

create or replace function insert_task()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
  set intervalstyle = 'postgres'
as $$
declare
  v_row  task_row;
  v_task tasks;
begin
  perform check_marks(new.delimiter, new.escape, new.quote);
  v_row := jsonb_populate_record(null::task_row, to_jsonb(new));
  perform check_row(v_row);
  if num_nonnulls(new.id, new.start, new.stop, new.pid, new.error, new.output) > 0 or v_row.state not in ('PLAN', 'STOP') then
    perform refuse('TK004', 'a new task says nothing of its id, start, stop, pid, error and output, and its state is PLAN or STOP',
                   'Leave these columns out.');
  end if;

  v_task := engine_task(v_row, tg_argv[0], tg_argv[1], tg_argv[2], tg_relid, current_setting('TimeZone'));
  select id into new.id
  from enqueue(
    v_task.queue, v_task.payload, p_kind => v_task.kind, p_priority => v_task.priority, p_run_at => v_task.run_at,
    p_groups => v_task.groups, p_max_running => v_task.max_running, p_backoff => v_task.backoff,
    p_timeout => v_task.timeout, p_deadline => v_task.deadline, p_parent => v_task.parent, p_meta => v_task.meta);
  if v_row.state = 'STOP' then
    perform cancel(new.id);
  end if;
  new.remote := hidden(new.remote);
  return new;
end;
$$;
