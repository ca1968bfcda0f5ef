-- install_changes() — the files that are new, changed or gone, and what they speak of

create or replace function install_changes()
  returns table (path text, words text)
  language sql
  stable
  set search_path from current
as $$
  select coalesce(old.path, new.path), concat_ws(' ', new.text, old.creates)
  from installed old
  full join install_files new on new.path = old.path
  where old.hash is distinct from new.hash;
$$;
