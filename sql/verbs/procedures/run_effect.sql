-- run_effect() — runs the SQL of a step as the caller, and gives what it returns as JSON
--
-- The first row counts: one column as its value, several as an object. Not SECURITY DEFINER, and with the search
-- path of the caller. What gives no rows cannot be opened as a cursor, which Postgres says before it runs it.

create or replace function run_effect(p_sql text)
  returns jsonb
  language plpgsql
as $$
declare
  v_cursor refcursor;
  v_row    record;
  v_given  jsonb;
begin
  if p_sql is null then
    raise exception using errcode = 'TK004', message = 'the SQL of the step is null',
      hint = 'format() and || give null for a null argument: use %L, or coalesce().';
  end if;
  begin
    open v_cursor for execute p_sql;
  exception when invalid_cursor_definition then
    v_cursor := null;
  end;
  if v_cursor is null then
    execute p_sql;
    return null;
  end if;
  fetch v_cursor into v_row;
  if not found then
    return null;
  end if;
  v_given := pg_catalog.to_jsonb(v_row);
  -- Effects of the other rows happen too.
  move forward all from v_cursor;
  close v_cursor;
  if (select pg_catalog.count(*) = 1 from pg_catalog.jsonb_object_keys(v_given)) then
    v_given := (select value from pg_catalog.jsonb_each(v_given));
  end if;
  return v_given;
end;
$$;
