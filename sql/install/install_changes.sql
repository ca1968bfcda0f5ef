-- install_changes() — the files that are new, changed or gone since the last run

create or replace function install_changes(p_manifest jsonb)
  returns table (path text)
  language sql
  stable
  set search_path from current
as $$
  select coalesce(old.path, new.key)
  from installed old
  full join jsonb_each_text(p_manifest) new on new.key = old.path
  where old.hash is distinct from new.value;
$$;
