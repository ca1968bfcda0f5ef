-- check_sql() — refuses a SQL task that its submitter may not have; gives its payload as it is stored

create or replace function check_sql(p_payload jsonb, p_by text)
  returns jsonb
  language plpgsql
as $$
declare
  v_fault text := sql_fault(p_payload, p_by);
begin
  if v_fault is not null then
    perform refuse('TK004', 'the SQL task is refused: ' || v_fault, 'Nothing was changed. Mend the task, or ask an admin for the right.');
  end if;
  return sql_payload(p_payload, p_by);
end;
$$;
