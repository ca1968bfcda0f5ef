-- pg_background_result_info() — how many rows a task gave, and when it ran

create or replace function pg_background_result_info(pid bigint, cookie bigint default null)
  returns pg_background_result_info
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_info pg_background_result_info;
begin
  perform background_require(pid, cookie);
  select (background_last_result(output) ->> 'row_count')::bigint, background_last_result(output) ->> 'tag',
         state in ('done', 'failed', 'cancelled'), state in ('failed', 'cancelled'), started_at, finished_at
  into v_info
  from background_task
  where id = pid;
  return v_info;
end;
$$;

create or replace function pg_background_result_info_v2(pid bigint, cookie bigint)
  returns pg_background_result_info
  language sql
  set search_path from current
as $$
  select pg_background_result_info(pid, cookie);
$$;
