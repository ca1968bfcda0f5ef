-- shown() — a counter as an integer, which is what its functions answer; never an overflow

create or replace function shown(p_value bigint)
  returns integer
  language sql
  immutable
as $$
  select case when p_value is not null then least(greatest(p_value, -2147483648), 2147483647)::integer end;
$$;
