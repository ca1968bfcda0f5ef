-- pg_background_purge() — takes the caller's own tasks that have ended off the list; tells how many

create or replace function pg_background_purge()
  returns integer
  language sql
  security definer
  set search_path from current
as $$
  select background_detach(array(
    select id
    from background_task
    where submitted_by = (select submitter()) and state not in ('queued', 'running')
      and not exists (select from background_detached where task = background_task.id)));
$$;

create or replace function pg_background_purge_v2()
  returns integer
  language sql
  set search_path from current
as $$
  select pg_background_purge();
$$;
