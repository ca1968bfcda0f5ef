-- In whose name a call acts, and which roles stand behind it.

-- session_role() — the role that this session acts as: the one it has set, or else its login
--
-- This is the only place that may ask for session_user or the setting `role`, because they
-- do not always name the caller. ANALYZE, REINDEX, CREATE INDEX, CLUSTER, REFRESH MATERIALIZED
-- VIEW, autovacuum and the apply worker of a subscription call functions of a table's
-- owner with the owner's rights, but in the session of a superuser or of another role. Postgres
-- calls that a security-restricted operation. It has no function to ask for it, but
-- refuses UNLISTEN there, with 42501, and nowhere else. So it refuses the verb as well.
--
-- The error is Postgres's own on purpose. To catch it takes a subtransaction: one that is
-- rolled back made enqueue() take a quarter longer, and one that is not keeps 9 kB for each
-- call until the commit in sessions that listen. This takes 2 µs of about 50, and 33 bytes
-- in a session that listens. See docs/decisions/0020-who-called.md.

create or replace function session_role()
  returns text
  language plpgsql
as $$
begin
  unlisten tusk_nothing;
  return coalesce(nullif(current_setting('role', true), 'none'), session_user);
end;
$$;

-- acting_for() — the role in whose name a schedule, a trigger or an operation acts; null when none does
--
-- Any login may write to the setting. Only enqueue_occurrences() knows the secret of the
-- schedule, enqueue_change() that of the trigger and advance_page() that of the operation,
-- without which it counts for nothing.

create or replace function acting_for()
  returns text
  language plpgsql
  stable
as $$
declare
  v_claimed text := current_setting('tusk.acting_for', true);
begin
  return (
    select set_by from schedules where name = substr(v_claimed, 37) and secret::text = left(v_claimed, 36)
    union all
    select set_by from row_triggers where name = substr(v_claimed, 37) and secret::text = left(v_claimed, 36)
    union all
    select started_by from operations
    where id = case when substr(v_claimed, 37) ~ '^[0-9]{1,18}$' then substr(v_claimed, 37)::bigint end
      and secret::text = left(v_claimed, 36)
  );
end;
$$;

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

-- is_member_of() — whether a role has the rights of one of these; '*' means everybody
--
-- Names of roles that are gone are passed over.

create or replace function is_member_of(p_role text, p_names text[])
  returns boolean
  language sql
  stable
as $$
  select '*' = any (p_names) or exists (
    select from pg_catalog.pg_roles
    where rolname = any (p_names) and pg_catalog.pg_has_role(p_role, oid, 'usage'));
$$;

-- is_trusted() — whether what this role owns may be called with the rights of the engine's owner

create or replace function is_trusted(p_owner oid)
  returns boolean
  language sql
  stable
as $$
  select exists (select from pg_catalog.pg_roles where oid = p_owner and (rolsuper or rolname = current_user));
$$;
