-- background_number() — the value of a setting as a whole number from 0; null when it is not set

create or replace function background_number(p_name text, p_value text)
  returns integer
  language plpgsql
  immutable
as $$
begin
  if coalesce(p_value, '') = '' then
    return null;
  end if;
  if p_value !~ '^[0-9]{1,9}$' then
    perform refuse('22023', format('%s cannot be %L', p_name, p_value), 'Give a whole number from 0.');
  end if;
  return p_value::integer;
end;
$$;
