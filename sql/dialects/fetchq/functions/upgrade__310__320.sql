-- upgrade__310__320() — nothing to do: the tables of this dialect never were as old

create or replace function upgrade__310__320(out success boolean)
  language sql
  immutable
as $$
  select true;
$$;
