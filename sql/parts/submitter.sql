-- submitter() — the role that called, also from inside a security definer verb

create or replace function submitter()
  returns text
  language sql
  stable
  set search_path from current
as $$
  select coalesce(nullif(current_setting('role', true), 'none'), session_user);
$$;
