-- background_submitter() — the role that called, for views to compare with

create or replace function background_submitter()
  returns text
  language sql
  stable
  security definer
  set search_path from current
as $$
  select submitter();
$$;
