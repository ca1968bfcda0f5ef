-- make_view() — the view that a task table is
--
-- Columns, types and order are pg_task's. Over tables of the engine, never over its
-- views: those come and go with upgrades. No functions of ours either, for a reader
-- would need the right to them.

create or replace function make_view(p_schema text, p_table text, p_queue text, p_type text)
  returns void
  language plpgsql
as $$
begin
  execute format($view$
    create or replace view %1$I.%2$I as
      select tasks.id, tasks.parent, tasks.run_at as plan,
             case when tasks.claim is not null then coalesce(sql_runs.began_at, tasks.started_at) end as start,
             null::timestamptz as stop,
             %3$s,
             sql_runs.pid,
             (case when tasks.claim is null then 'PLAN'
                   when sql_runs.task is not null or tasks.started_at is not null then 'WORK'
                   else 'TAKE' end)::%5$s as state,
             %4$s,
             null::text as error, tasks.meta #>> '{pg_task,group}' as "group", tasks.payload ->> 'sql' as input,
             tasks.meta #>> '{pg_task,"null"}' as "null", null::text as output, tasks.meta #>> '{pg_task,remote}' as remote
      from tasks
      left join sql_runs on sql_runs.task = tasks.id and sql_runs.claim = tasks.claim
      where tasks.queue = %6$L and tasks.kind = 'sql' and tasks.payload ? 'sql' and tasks.meta ? 'pg_task'
      union all
      select finished.id, finished.parent, finished.run_at,
             case when finished.reason = 'expired' then finished.finished_at else finished.started_at end,
             case when finished.state <> 'cancelled' or finished.started_at is not null then finished.finished_at end,
             %7$s,
             %9$s,
             (case when finished.state = 'done' then 'DONE' when finished.state = 'cancelled' then 'STOP'
                   when finished.reason = 'expired' then 'GONE' else 'FAIL' end)::%5$s,
             %8$s,
             finished.meta #>> '{pg_task,error}', finished.meta #>> '{pg_task,group}', finished.payload ->> 'sql',
             finished.meta #>> '{pg_task,"null"}', finished.meta #>> '{pg_task,output}', finished.meta #>> '{pg_task,remote}'
      from finished
      where finished.queue = %6$L and finished.kind = 'sql' and finished.payload ? 'sql' and finished.meta ? 'pg_task'
        and not finished.meta -> 'pg_task' ? 'vanished'
    $view$,
    p_schema, p_table,
    kept_columns('tasks', '{active,live,repeat,timeout,count,max}'),
    kept_columns('tasks', '{delete,drift,header,save,string,delimiter,escape,quote,data}'),
    p_type, p_queue,
    kept_columns('finished', '{active,live,repeat,timeout,count,max}'),
    kept_columns('finished', '{delete,drift,header,save,string,delimiter,escape,quote,data}'),
    whole_number('coalesce(finished.output, finished.error) -> ''pid'''));
  execute format('comment on view %I.%I is %L', p_schema, p_table, 'Tasks');
end;
$$;
