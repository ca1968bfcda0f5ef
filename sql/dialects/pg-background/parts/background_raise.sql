-- background_raise() — raises the error of a task again, as if it had happened here
--
-- An option of RAISE may not be null, and an empty detail would still be sent: hence
-- a statement per case.

create or replace function background_raise(p_error pg_background_error)
  returns void
  language plpgsql
as $$
begin
  if coalesce(p_error.schema_name, p_error.table_name, p_error.column_name, p_error.constraint_name) is not null then
    raise exception using
      errcode = p_error.sqlstate, message = p_error.message, detail = coalesce(p_error.detail, ''),
      hint = coalesce(p_error.hint, ''), schema = coalesce(p_error.schema_name, ''),
      table = coalesce(p_error.table_name, ''), column = coalesce(p_error.column_name, ''),
      constraint = coalesce(p_error.constraint_name, '');
  elsif p_error.detail is not null and p_error.hint is not null then
    raise exception using
      errcode = p_error.sqlstate, message = p_error.message, detail = p_error.detail, hint = p_error.hint;
  elsif p_error.detail is not null then
    raise exception using errcode = p_error.sqlstate, message = p_error.message, detail = p_error.detail;
  elsif p_error.hint is not null then
    raise exception using errcode = p_error.sqlstate, message = p_error.message, hint = p_error.hint;
  else
    raise exception using errcode = p_error.sqlstate, message = p_error.message;
  end if;
end;
$$;
