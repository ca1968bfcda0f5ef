-- rows_of() — the rows in which tasks are, as the views show them in row_id
--
--   select * from task where id = 42 and row_id = any (rows_of('{42}'));
--
-- Tasks that were enqueued together may share a row. To find one of them by its id alone, a view
-- reads all such rows; with row_id it reads one. Tells nothing else about the tasks.

create or replace function rows_of(p_ids bigint[])
  returns bigint[]
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
begin
  return array(select distinct find_row(id) from unnest(p_ids) as given (id));
end;
$$;
