-- engine_task() — what a row of a task table is to the engine
--
-- A limit and an order: at most max others run beside it in its group, and higher
-- maxes go first. A negative max is one at a time, in a second group that is held
-- back for the pause. Only errors are final; a task that lost its worker runs again.

create or replace function engine_task(p_row task_row, p_queue text, p_schema text, p_table text, p_relation oid, p_zone text)
  returns tasks
  language plpgsql
as $$
declare
  c_format constant text[] := '{active,live,repeat,timeout,count,max,delete,drift,header,save,string,delimiter,escape,quote,data,group,"null"}';
  v_task  tasks;
  v_group text := group_name(p_queue, p_row."group", p_row.remote);
begin
  v_task.queue := p_queue;
  v_task.kind := 'sql';
  v_task.version := 1;
  v_task.run_at := p_row.plan;
  v_task.parent := p_row.parent;
  v_task.deadline := case when p_row.repeat = interval '0' and p_row.max >= 0 then p_row.plan + p_row.active end;
  v_task.timeout := nullif(p_row.timeout, interval '0');
  v_task.priority := greatest(p_row.max, 0);
  v_task.max_running := least(greatest(p_row.max, 0), 2147483646) + 1;
  v_task.groups := case when p_row.max < 0 then array[v_group, pause_name(v_group)] else array[v_group] end;
  v_task.backoff := '{"kind": "never"}';
  v_task.meta := jsonb_build_object('pg_task', (
    select jsonb_object_agg(name, value) from jsonb_each(to_jsonb(p_row)) as given (name, value) where name = any (c_format)
  ) || jsonb_build_object('remote', hidden(p_row.remote), 'zone', p_zone));
  v_task.payload := jsonb_build_object(
      'sql', p_row.input,
      'max_rows', 1000000,
      'settings', jsonb_build_object(
        'application_name', format('pg_task %s %s %s', p_schema, p_table, p_row."group"),
        'pg_task.id', '{task}', 'pg_task.group', p_row."group", 'pg_task.schema', p_schema, 'pg_task.table', p_table,
        'pg_task.oid', p_relation::text))
    || case when p_row.remote is null then '{}'
            else jsonb_build_object('connection', jsonb_build_object('dsn', p_row.remote)) end
    || case when p_row.max < 0 or (p_row.count = 0 and p_row.live = interval '0') then '{}'
            else jsonb_build_object('session', jsonb_build_object(
              'live', p_row.live, 'count', p_row.count, 'save', p_row.save, 'scope', v_group)) end;
  return v_task;
end;
$$;
