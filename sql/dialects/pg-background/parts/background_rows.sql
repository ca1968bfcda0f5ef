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
