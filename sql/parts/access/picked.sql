-- picked() — an object with these of its properties only

create or replace function picked(p_object jsonb, p_names text[])
  returns jsonb
  language sql
  immutable
as $$
  select jsonb_object_agg(key, value) from jsonb_each(p_object) where key = any (p_names);
$$;
