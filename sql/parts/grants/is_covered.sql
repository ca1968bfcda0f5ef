-- is_covered() — whether a grant on p_granted is about this name: the name itself, or a beginning of it and *

create or replace function is_covered(p_name text, p_granted text)
  returns boolean
  language sql
  immutable
as $$
  select p_name = p_granted or (right(p_granted, 1) = '*' and starts_with(p_name, left(p_granted, -1)));
$$;
