-- Cancel, detach and purge.

-- pg_background_cancel() — stops a task that waits or runs; one that has ended stays as it is
--
-- Takes effect when the caller's transaction commits: the statement is cancelled, and
-- its session ended if it does not obey. Nothing is ever killed. How long it may take
-- to obey is the worker's to say, so grace_ms means nothing here.

create or replace function pg_background_cancel(pid bigint, cookie bigint default null, grace_ms integer default 0)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform background_require(pid, cookie);
  perform from cancel_many(array[pid]);
end;
$$;

create or replace function pg_background_cancel_v2(pid bigint, cookie bigint, grace_ms integer default 0)
  returns void
  language sql
  set search_path from current
as $$
  select pg_background_cancel(pid, cookie, grace_ms);
$$;

create or replace function pg_background_cancel_v2_grace(pid bigint, cookie bigint, grace_ms integer)
  returns void
  language sql
  set search_path from current
as $$
  select pg_background_cancel(pid, cookie, grace_ms);
$$;

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

-- pg_background_cancel_by_label() — stops the caller's own tasks whose label or topic is LIKE this

create or replace function pg_background_cancel_by_label(pattern text, grace_ms integer default 0)
  returns integer
  language sql
  security definer
  set search_path from current
as $$
  select count(*)::integer
  from cancel_many(array(
    select id
    from background_task
    where state in ('queued', 'running') and submitted_by = (select submitter())
      and (label like pattern or exists (select from unnest(topics) as topic where topic like pattern))));
$$;

create or replace function pg_background_cancel_by_label_v2(pattern text, grace_ms integer default 0)
  returns integer
  language sql
  set search_path from current
as $$
  select pg_background_cancel_by_label(pattern, grace_ms);
$$;

-- pg_background_detach() — takes a task off the list; it goes on, and its result can still be had

create or replace function pg_background_detach(pid bigint, cookie bigint default null)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform background_require(pid, cookie);
  perform background_detach(array[pid]);
end;
$$;

create or replace function pg_background_detach_v2(pid bigint, cookie bigint)
  returns void
  language sql
  set search_path from current
as $$
  select pg_background_detach(pid, cookie);
$$;

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
    where submitted_by = (select submitter())
      and not exists (select from background_detached where task = background_task.id)));
$$;

create or replace function pg_background_detach_all_v2()
  returns integer
  language sql
  set search_path from current
as $$
  select pg_background_detach_all();
$$;

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
