-- key_part() — a value in the key of a trigger's task: no two rows share a key unless their values are the same

create or replace function key_part(p_value text)
  returns text
  language sql
  immutable
as $$
  select case
    when p_value is null then 'null'
    when p_value ~ '[",]' or p_value = 'null' then '"' || replace(p_value, '"', '""') || '"'
    else p_value
  end;
$$;
