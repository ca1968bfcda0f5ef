-- install_applies_once() — whether a file is applied once: the baseline and the migrations
--
-- They make and change tables, so they are never applied again and never edited after a
-- release. All other files are applied again when their text changes.

create or replace function install_applies_once(p_path text)
  returns boolean
  language sql
  immutable
  set search_path from current
as $$
  select p_path ^@ 'schema/' or p_path ^@ 'migrations/';
$$;
