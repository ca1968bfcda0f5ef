-- pg_background_wait() — waits until a task has ended, or for timeout_ms; tells whether it has
--
-- Without a timeout it waits for ever. The task must have been launched by a
-- transaction that has committed: see background_wait().

create or replace function pg_background_wait(pid bigint, cookie bigint default null, timeout_ms integer default 0)
  returns boolean
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform background_require(pid, cookie);
  return background_wait(array[pid], timeout_ms) is not null;
end;
$$;

create or replace function pg_background_wait_v2(pid bigint, cookie bigint, timeout_ms integer default 0)
  returns boolean
  language sql
  set search_path from current
as $$
  select pg_background_wait(pid, cookie, timeout_ms);
$$;

create or replace function pg_background_wait_v2_timeout(pid bigint, cookie bigint, timeout_ms integer)
  returns boolean
  language sql
  set search_path from current
as $$
  select pg_background_wait(pid, cookie, timeout_ms);
$$;
