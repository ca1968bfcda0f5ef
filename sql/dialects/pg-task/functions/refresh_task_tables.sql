-- refresh_task_tables() — brings all task tables up to date
--
-- A table whose view was dropped, or replaced by somebody else's, is forgotten.

create or replace function refresh_task_tables()
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  delete from task_tables
  where not exists (select from pg_class where oid = to_regclass(format('%I.%I', schema, name)) and is_trusted(relowner));
  perform create_task_table(schema, name) from task_tables;
end;
$$;
