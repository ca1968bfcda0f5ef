-- pg_background_launch() — runs SQL in the background; answers with the task's id at once
--
--   select pg_background_launch('vacuum accounts');
--   select pg_background_launch('select refresh()', 65536, 'reports', 'slow');
--   select pg_background_launch('select refresh()', topics => array['reports'], retry_count => 3);
--
-- A task with several topics starts when each of them has room. queue_size means
-- nothing here. These bodies are bound when they are made, so that they can leave the
-- caller's search path alone and hand it on.

create or replace function pg_background_launch(
  sql         text,
  queue_size  integer default 65536,
  topics      text[]  default '{}',
  label       text    default null,
  retry_count integer default null,
  timeout_ms  integer default null
)
  returns bigint
  language sql
begin atomic
  select (background_launch(sql, queue_size, topics, label, retry_count, timeout_ms, true, background_caller())).pid;
end;

create or replace function pg_background_launch(sql text, queue_size integer, variadic topics text[])
  returns bigint
  language sql
begin atomic
  select (background_launch(sql, queue_size, topics, null, null, null, true, background_caller())).pid;
end;

-- The third argument is how often it may be tried again.
create or replace function pg_background_launch(sql text, queue_size integer, retry_count integer)
  returns bigint
  language sql
begin atomic
  select (background_launch(sql, queue_size, '{}', null, retry_count, null, true, background_caller())).pid;
end;
