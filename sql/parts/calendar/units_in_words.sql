-- units_in_words() — minute 5; minutes 5 and 7; minutes 0 through 56 in steps of 7

create or replace function units_in_words(p_unit text, p_numbers integer[])
  returns text
  language plpgsql
  stable
as $$
begin
  return p_unit || case cardinality(p_numbers) when 1 then ' ' else 's ' end || numbers_in_words(p_numbers);
end;
$$;
