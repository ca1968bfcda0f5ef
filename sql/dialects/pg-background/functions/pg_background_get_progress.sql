-- pg_background_get_progress() — how far a running task has come; null when it has not said

create or replace function pg_background_get_progress(pid bigint, cookie bigint default null)
  returns pg_background_progress_info
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform background_require(pid, cookie);
  return (
    select row(substring(progress ->> 'percent' from '^[0-9]{1,3}')::integer, progress ->> 'message')::pg_background_progress_info
    from background_task
    where id = pid and progress is not null
  );
end;
$$;

create or replace function pg_background_get_progress_v2(pid bigint, cookie bigint)
  returns pg_background_progress_info
  language sql
  set search_path from current
as $$
  select pg_background_get_progress(pid, cookie);
$$;
