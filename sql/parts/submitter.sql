-- submitter() — the role that called, also from inside a security definer verb

create or replace function submitter()
  returns text
  language sql
  stable
as $$
  select coalesce(nullif(current_setting('role', true), 'none'), session_user);
$$;
