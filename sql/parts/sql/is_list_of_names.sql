-- is_list_of_names() — whether this is a JSON array of texts, each of which is there once

create or replace function is_list_of_names(p_list jsonb)
  returns boolean
  language sql
  immutable
as $$
  select case when jsonb_typeof(p_list) = 'array' then (
    select coalesce(bool_and(jsonb_typeof(name) = 'string') and count(*) = count(distinct name), true)
    from jsonb_array_elements(p_list) as name) else false end;
$$;
