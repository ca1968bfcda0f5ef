-- numbers_in_words() — 5 and 7; 9 through 17; 0 through 56 in steps of 7; 1 through 3, 8 and 12
--
-- p_names says what each number is called, if not by itself: p_names[1] is 0's.

create or replace function numbers_in_words(p_numbers integer[], p_names text[] default null)
  returns text
  language plpgsql
  stable
as $$
declare
  v_step  integer := even_step(p_numbers);
  v_items text[] := '{}';
  v_from  integer := p_numbers[1];
begin
  if p_names is null and v_step > 1 and cardinality(p_numbers) > 3 then
    return format('%s through %s in steps of %s', p_numbers[1], p_numbers[cardinality(p_numbers)], v_step);
  end if;
  for v_place in 1..cardinality(p_numbers) loop
    if p_numbers[v_place + 1] = p_numbers[v_place] + 1 then
      continue;
    end if;
    -- A run ends here. Two in a row are named one by one.
    if p_numbers[v_place] - v_from < 2 then
      for v_number in v_from..p_numbers[v_place] loop
        v_items := v_items || coalesce(p_names[v_number + 1], v_number::text);
      end loop;
    else
      v_items := v_items || format(
        '%s through %s',
        coalesce(p_names[v_from + 1], v_from::text),
        coalesce(p_names[p_numbers[v_place] + 1], p_numbers[v_place]::text));
    end if;
    v_from := p_numbers[v_place + 1];
  end loop;
  return and_list(v_items);
end;
$$;
