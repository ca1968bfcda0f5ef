-- cut_error() — an error as it is, or if it is too large what matters of it
--
-- Not refused: a worker that cannot report an error would leave its task to the rescue.
-- `cut_from` says how many bytes the error had.

create or replace function cut_error(p_error jsonb)
  returns jsonb
  language sql
  stable
as $$
  select case
    when pg_column_size(p_error) > bound('error') then
      jsonb_strip_nulls(jsonb_build_object(
        'name', left(case when jsonb_typeof(p_error) = 'object' then p_error ->> 'name' end, 200),
        'code', left(case when jsonb_typeof(p_error) = 'object' then p_error ->> 'code' end, 200),
        'message', left(error_message(p_error), 8000) || ' … (cut)',
        'cut_from', pg_column_size(p_error)))
    else p_error
  end;
$$;
