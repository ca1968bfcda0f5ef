-- likely_time() — a time that a worker told, or null if it cannot be right
--
-- A clock that is wrong by days is believed. Infinity is not: views subtract these times.
-- Nor are years that other programs cannot read. A single expression, so Postgres inlines it.

create or replace function likely_time(p_at timestamptz)
  returns timestamptz
  language sql
  immutable
as $$
  select case when p_at >= timestamptz '0001-01-02 00:00:00+00' and p_at < timestamptz '9999-12-31 00:00:00+00' then p_at end;
$$;
