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
