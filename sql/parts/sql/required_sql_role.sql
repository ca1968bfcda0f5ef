-- required_sql_role() — the role that SQL of this session's callers has to run as; null when they may choose
--
-- A server that takes SQL from the network opens its connections with the setting
-- tusk.sql_role. Whatever text its callers send then runs as that role, also in a
-- schedule or after a change of the payload. A schedule that fires acts for the role
-- that set it, so the setting does not count there. It binds callers who cannot send
-- SQL on this very session: who can may change the setting.

create or replace function required_sql_role()
  returns text
  language sql
  stable
as $$
  select nullif(current_setting('tusk.sql_role', true), '')
  where coalesce(current_setting('tusk.acting_for', true), '') = '' or acting_for() is null;
$$;
