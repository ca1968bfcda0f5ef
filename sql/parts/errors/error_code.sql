-- error_code() — what an error is called: its code, or else its name; null when it has neither
--
-- Executors in other languages may report anything as an error, also a bare text.

create or replace function error_code(p_error jsonb)
  returns text
  language sql
  immutable
as $$
  select left(coalesce(p_error ->> 'code', p_error ->> 'name'), 200);
$$;
