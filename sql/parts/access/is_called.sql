-- is_called() — whether a door acts for somebody in this transaction
--
-- One expression, so that Postgres inlines it.

create or replace function is_called()
  returns boolean
  language sql
  stable
as $$
  select coalesce(current_setting('tusk.caller', true), '') <> '';
$$;
