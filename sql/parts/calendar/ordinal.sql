-- ordinal() — 1st, 2nd, 3rd, 4th, 11th, 21st

create or replace function ordinal(p_number integer)
  returns text
  language plpgsql
  stable
as $$
begin
  return p_number || case
    when p_number % 100 between 11 and 13 then 'th'
    when p_number % 10 = 1 then 'st'
    when p_number % 10 = 2 then 'nd'
    when p_number % 10 = 3 then 'rd'
    else 'th'
  end;
end;
$$;
