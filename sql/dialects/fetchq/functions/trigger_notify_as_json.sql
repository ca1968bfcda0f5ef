-- trigger_notify_as_json() — tells every change of a row on fetchq_on_change

create or replace function trigger_notify_as_json()
  returns trigger
  language plpgsql
as $$
begin
  perform pg_notify('fetchq_on_change', json_build_object(
    'timestamp', now(),
    'operation', tg_op,
    'schema', tg_table_schema,
    'table', tg_table_name,
    'new_data', case when tg_op <> 'DELETE' then row_to_json(new) end,
    'old_data', case when tg_op <> 'INSERT' then row_to_json(old) end)::text);
  return coalesce(new, old);
end;
$$;
