-- pg_background_launch_v2() — as pg_background_launch(), but answers with a handle

create or replace function pg_background_launch_v2(
  sql         text,
  queue_size  integer default 0,
  label       text    default null,
  topics      text[]  default '{}',
  retry_count integer default null,
  timeout_ms  integer default null
)
  returns pg_background_handle
  language sql
begin atomic
  select background_launch(sql, queue_size, topics, label, retry_count, timeout_ms, true, background_caller());
end;
