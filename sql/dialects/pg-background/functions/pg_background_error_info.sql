-- pg_background_error_info() — the error with which a task ended; null when there was none

create or replace function pg_background_error_info(pid bigint, cookie bigint default null)
  returns pg_background_error
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform background_require(pid, cookie);
  return (select background_error(state, reason, error) from background_task where id = pid);
end;
$$;

create or replace function pg_background_error_info_v2(pid bigint, cookie bigint)
  returns pg_background_error
  language sql
  set search_path from current
as $$
  select pg_background_error_info(pid, cookie);
$$;
