-- background_sees_all() — whether the caller may look at the tasks of others: operators may

create or replace function background_sees_all()
  returns boolean
  language sql
  stable
  security definer
  set search_path from current
as $$
  select has_table_privilege(submitter(), 'task', 'select');
$$;
