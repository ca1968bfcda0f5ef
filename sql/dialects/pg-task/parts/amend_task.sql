-- amend_task() — makes a live task what its row says now
--
-- Its run goes on as it began; the repetition after it will be as the row says. The
-- remote is shown without its password: shown again, it stands for the old one.

create or replace function amend_task(p_task bigint, p_row jsonb, p_queue text, p_schema text, p_table text, p_relation oid)
  returns void
  language plpgsql
as $$
declare
  v_old  tasks;
  v_new  tasks;
  v_row  task_row := jsonb_populate_record(null::task_row, p_row);
  v_same boolean;
begin
  select * into v_old from tasks where id = p_task;
  if not found then
    return;
  end if;
  if v_row.remote is not distinct from v_old.meta #>> '{pg_task,remote}' then
    v_row.remote := v_old.payload #>> '{connection,dsn}';
  end if;
  v_new := engine_task(v_row, p_queue, p_schema, p_table, p_relation, v_old.meta #>> '{pg_task,zone}');
  v_same := v_new.payload = (v_old.payload - 'role') #- '{session,live_ms}';
  perform amend(p_task, jsonb_build_object('parent', v_new.parent, 'meta', v_new.meta)
    || case when v_same then '{}' else jsonb_build_object('payload', v_new.payload) end
    || case when v_old.claim is not null then '{}' else jsonb_build_object(
         'run_at', v_new.run_at, 'deadline', v_new.deadline, 'priority', v_new.priority,
         'max_running', v_new.max_running, 'groups', to_jsonb(v_new.groups), 'timeout', v_new.timeout) end);
end;
$$;
