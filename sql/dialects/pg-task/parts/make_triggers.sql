-- make_triggers() — lets a task table be written to

create or replace function make_triggers(p_schema text, p_table text, p_queue text)
  returns void
  language plpgsql
as $$
declare
  v_trigger text;
begin
  foreach v_trigger in array array[
    'trigger task_insert instead of insert on %1$I.%2$I for each row execute function insert_task(%3$L, %1$L, %2$L)',
    'trigger task_change instead of update or delete on %1$I.%2$I for each row execute function gather_change()',
    'trigger task_changed after update or delete on %1$I.%2$I for each statement execute function apply_changes(%3$L, %1$L, %2$L)'
  ] loop
    execute format('create or replace ' || v_trigger, p_schema, p_table, p_queue);
  end loop;
end;
$$;
