-- submitter() — the role that called, also from inside a security definer verb
--
-- A task of a schedule is submitted in the name of the role that set the schedule,
-- also when a worker fires it. One expression, so that Postgres inlines it. Volatile, as session_role()
-- must be: in a condition on many rows, write (select submitter()).

create or replace function submitter()
  returns text
  language sql
  volatile
as $$
  select coalesce(
    case when coalesce(current_setting('tusk.acting_for', true), '') <> '' then acting_for() end, session_role());
$$;
