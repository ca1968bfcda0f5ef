-- background_result() — waits for a task and gives what its last statement gave, or raises its error
--
-- For pg_background_result() and pg_background_rows(), which make rows of it with the
-- caller's own rights: to read a value of some type may mean to call a function of
-- whoever made that type.

create or replace function background_result(p_id bigint, p_cookie bigint)
  returns jsonb
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_task   record;
  v_notice text;
begin
  perform background_require(p_id, p_cookie);
  perform background_wait(array[p_id], 0);
  select keeps_rows, output, error, (background_error(state, reason, error)).* into v_task from background_task where id = p_id;
  if not found then
    perform refuse('42704', format('background task %s has been deleted', p_id), 'Its retention is over.');
  end if;
  for v_notice in
    select value ->> 'message' from jsonb_array_elements(coalesce(v_task.output, v_task.error) -> 'notices') as notice (value)
  loop
    raise notice '%', v_notice;
  end loop;
  if v_task.sqlstate is not null then
    perform background_raise(row(
      v_task.sqlstate, v_task.message, v_task.detail, v_task.hint, v_task.context, v_task.schema_name, v_task.table_name,
      v_task.column_name, v_task.constraint_name)::pg_background_error);
  end if;
  if not v_task.keeps_rows then
    perform refuse('55000', format('background task %s was submitted, and keeps no rows', p_id),
                   'Launch it to have its rows; pg_background_outcome() tells how it ended.');
  end if;
  return background_last_result(v_task.output)
    || (select jsonb_build_object('style', payload #> '{settings,IntervalStyle}') from finished where id = p_id);
end;
$$;
