-- row_as_json() — a row of somebody's table as JSON, without a call to anything of theirs
--
-- to_jsonb() calls the casts that owners of types have made, and here that would be
-- with the rights of the engine's owner. Values of such types are given as Postgres
-- itself writes them; of an enum that is what to_jsonb() gives. Types of Postgres's own
-- have low numbers, so most tables have nothing to look into.

create or replace function row_as_json(p_table oid, p_row anyelement)
  returns jsonb
  language plpgsql
  stable
as $$
declare
  c_first_of_users constant oid := 16384;
  v_columns text;
  v_row     jsonb;
begin
  if not exists (select from pg_catalog.pg_attribute where attrelid = p_table and attnum > 0 and atttypid >= c_first_of_users) then
    return to_jsonb(p_row);
  end if;
  select string_agg(
           case
             when not is_foreign then format('($1).%I', attname)
             else format('case when num_nonnulls(($1).%1$I) > 0 then format(''%%s'', ($1).%1$I)%2$s end as %1$I',
                         attname, case when typcategory = 'A' then '::text[]' end)
           end, ', ' order by attnum)
  into v_columns
  from (
    select attname, attnum, typcategory, case when atttypid >= c_first_of_users then is_foreign_type(atttypid) else false end as is_foreign
    from pg_catalog.pg_attribute join pg_catalog.pg_type on pg_type.oid = atttypid
    where attrelid = p_table and attnum > 0 and not attisdropped
  ) as given
  having bool_or(is_foreign);
  if v_columns is null then
    return to_jsonb(p_row);
  end if;
  execute format('select to_jsonb(made) from (select %s) as made', v_columns) into v_row using p_row;
  return v_row;
end;
$$;
