-- filter_names() — what tasks may be looked for by

create or replace function filter_names()
  returns text[]
  language sql
  stable
as $$
  select array_agg(attname::text order by attnum)
  from pg_attribute
  where attrelid = 'task_filter'::regclass and attnum > 0 and not attisdropped;
$$;
