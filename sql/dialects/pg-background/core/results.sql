-- Results as rows, and errors raised again.

-- background_rows() — the statement that makes rows of a result again, typed as they were; $1 is the result
--
-- Nothing of the result but the names and the types of its columns goes into the
-- text: names quoted, types as Postgres itself spells them. A type that is gone, or of
-- which no value can be read (record), is text.

create or replace function background_rows(p_result jsonb)
  returns text
  language sql
  stable
as $$
  select case
    when jsonb_typeof(p_result -> 'columns') = 'array' then format(
      'select %s from jsonb_array_elements($1 -> ''rows'') as given (value)',
      (select string_agg(
                format('(given.value ->> %s)::%s as %I', place - 1,
                       coalesce((select format_type(oid, nullif(col.typmod, -1)) from pg_catalog.pg_type
                                 where oid = col.type_oid and (typtype <> 'p' or oid = 'void'::regtype)), 'text'),
                       coalesce(nullif(col.name, ''), '?column?')),
                ', ' order by place)
       from rows from (jsonb_to_recordset(p_result -> 'columns') as (name text, type_oid oid, typmod integer))
         with ordinality as col (name, type_oid, typmod, place)))
    else 'select $1 ->> ''tag'' as result where $1 ->> ''tag'' is not null'
  end;
$$;

-- background_read_as() — reads intervals in a style from now on; gives the one that was there before
--
-- '-1 2:03:04' is two hours more to one style than to another.

create or replace function background_read_as(p_style text)
  returns text
  language plpgsql
as $$
declare
  v_before text := current_setting('IntervalStyle');
begin
  perform set_config('IntervalStyle', coalesce(p_style, v_before), true);
  return v_before;
end;
$$;

-- background_plain_types() — a result, with columns of types that another role made as text
--
-- To read a value of a domain, or of an array or a row with one inside, calls the checks
-- of the domain; to make JSON of it calls a cast that its owner may have made. Both
-- happen with the rights of the reader. A reader who names the types of the columns
-- accepts that, as with the original. Where the task alone decides what they are, only
-- types of the reader itself and of superusers are used.

create or replace function background_plain_types(p_result jsonb)
  returns jsonb
  language sql
  stable
as $$
  with recursive types as (
    select place, (col ->> 'type_oid')::oid as type
    from jsonb_array_elements(p_result -> 'columns') with ordinality as given (col, place)
    where jsonb_typeof(p_result -> 'columns') = 'array'
    union
    select place, inner_type
    from types
    join pg_catalog.pg_type on pg_type.oid = types.type
    cross join lateral (
      select typbasetype where typtype = 'd'
      union all
      select typelem where typelem <> 0
      union all
      select rngsubtype from pg_catalog.pg_range where type in (rngtypid, rngmultitypid)
      union all
      select atttypid from pg_catalog.pg_attribute where attrelid = typrelid and attnum > 0 and not attisdropped
    ) as inside (inner_type)
  ), foreign_columns as (
    select distinct place
    from types join pg_catalog.pg_type on pg_type.oid = types.type
    where not exists (
      select from pg_catalog.pg_roles where pg_roles.oid = typowner and (rolsuper or rolname = current_user))
  )
  select case when exists (select from foreign_columns) then p_result || jsonb_build_object('columns', (
    select jsonb_agg(
      case when place in (select place from foreign_columns) then col || '{"type_oid": 25, "typmod": -1}' else col end
      order by place)
    from jsonb_array_elements(p_result -> 'columns') with ordinality as given (col, place)))
  else p_result end;
$$;

-- background_last_result() — what the last statement of a task gave; null when there was none
--
-- A commit that the runner added is not a statement of the caller.

create or replace function background_last_result(p_output jsonb)
  returns jsonb
  language sql
  immutable
as $$
  select result.value
  from jsonb_array_elements(p_output -> 'results') with ordinality as result (value, place)
  where not result.value ? 'implied'
  order by result.place desc
  limit 1;
$$;

-- background_error() — what went wrong with a task, in the fields of a Postgres error; null when nothing did
--
-- Failures that no server spoke of have no SQLSTATE of their own and are given one.

create or replace function background_error(p_state text, p_reason text, p_error jsonb)
  returns pg_background_error
  language sql
  immutable
as $$
  select case
    when p_state = 'cancelled' then
      row('57014', 'the background task was cancelled', null, null, null, null, null, null, null)::pg_background_error
    when p_state = 'failed' then row(
      case
        when p_error ->> 'code' ~ '^[0-9A-Z]{5}$' then p_error ->> 'code'
        when p_reason = 'lost' or p_error ->> 'code' like 'connection%' then '08006'
        when p_reason = 'timeout' then '57014'
        else 'XX000'
      end,
      coalesce(p_error ->> 'message', 'the background task failed: ' || p_reason),
      p_error ->> 'detail', p_error ->> 'hint', p_error ->> 'where', p_error ->> 'schema', p_error ->> 'table',
      p_error ->> 'column', p_error ->> 'constraint')::pg_background_error
  end;
$$;

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
