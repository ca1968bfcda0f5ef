-- refresh_task_tables() — brings all task tables up to date; a table whose view was dropped is forgotten

create or replace function refresh_task_tables()
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  delete from task_tables where to_regclass(format('%I.%I', schema, name)) is null;
  perform create_task_table(schema, name) from task_tables;
end;
$$;
