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
