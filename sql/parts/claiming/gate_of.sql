-- gate_of() — the number of a queue's gate; one expression, so that Postgres inlines it

create or replace function gate_of(p_queue text)
  returns integer
  language sql
  immutable
as $$
  select hashtext(p_queue) & 7;
$$;
