-- is_foreign_type() — whether making JSON of a value of this type may call a function of somebody else's
--
-- The owner of a type may have made a cast to JSON for it. Those of arrays, rows and
-- domains are never used, but what is inside of them counts.

create or replace function is_foreign_type(p_type oid)
  returns boolean
  language sql
  stable
as $$
  with recursive types as (
    select p_type as type
    union
    select inner_type
    from types
    join pg_catalog.pg_type on pg_type.oid = types.type
    cross join lateral (
      select typbasetype where typtype = 'd'
      union all
      select typelem where typcategory = 'A'
      union all
      select atttypid from pg_catalog.pg_attribute where attrelid = typrelid and attnum > 0 and not attisdropped
    ) as inside (inner_type)
  )
  select exists (
    select from types join pg_catalog.pg_type on pg_type.oid = types.type
    where typtype not in ('c', 'd') and typcategory <> 'A' and not is_trusted(typowner));
$$;
