-- pg_background_cancel_all() — stops all tasks of the caller's own; tells how many
--
-- Those of all its sessions; also an operator's own only.

create or replace function pg_background_cancel_all()
  returns integer
  language sql
  security definer
  set search_path from current
as $$
  select count(*)::integer
  from cancel_many(array(
    select id from background_task where state in ('queued', 'running') and submitted_by = (select submitter())));
$$;

create or replace function pg_background_cancel_all_v2()
  returns integer
  language sql
  set search_path from current
as $$
  select pg_background_cancel_all();
$$;
