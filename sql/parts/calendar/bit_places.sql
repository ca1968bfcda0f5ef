-- bit_places() — where the ones of a bit string are, counted from p_first

create or replace function bit_places(p_bits varbit, p_first integer default 0)
  returns integer[]
  language plpgsql
  stable
as $$
begin
  return array(
    select place + p_first
    from generate_series(0, length(p_bits) - 1) as place
    where get_bit(p_bits, place) = 1
    order by place
  );
end;
$$;
