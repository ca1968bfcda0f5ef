-- even_step() — the one distance between numbers that follow one another; null when there is none

create or replace function even_step(p_numbers integer[])
  returns integer
  language plpgsql
  stable
as $$
declare
  v_step integer := p_numbers[2] - p_numbers[1];
begin
  for v_place in 3..cardinality(p_numbers) loop
    if p_numbers[v_place] - p_numbers[v_place - 1] <> v_step then
      return null;
    end if;
  end loop;
  return v_step;
end;
$$;
