-- pg_background_detach_all() — takes the caller's own tasks off the list; tells how many

create or replace function pg_background_detach_all()
  returns integer
  language sql
  security definer
  set search_path from current
as $$
  select background_detach(array(
    select id
    from background_task
    where submitted_by = (select submitter()) and not exists (select from background_detached where task = background_task.id)));
$$;

create or replace function pg_background_detach_all_v2()
  returns integer
  language sql
  set search_path from current
as $$
  select pg_background_detach_all();
$$;
