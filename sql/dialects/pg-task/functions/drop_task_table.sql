-- drop_task_table() — takes a task table away, with the tasks that wait in it
--
-- Tasks that run are cancelled. What has ended is kept by the engine, and swept.

create or replace function drop_task_table(p_schema text, p_table text)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue text;
begin
  delete from task_tables where schema = p_schema and name = p_table returning queue into v_queue;
  if not found then
    perform refuse('TK004', format('there is no task table %I.%I', p_schema, p_table), 'See the table task_tables for those there are.');
  end if;
  execute format('drop view if exists %I.%I', p_schema, p_table);
  perform from cancel_many(array(select id from tasks where queue = v_queue));
end;
$$;
