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
