-- pg_background_list() — the view of that name, as a function; no column list is needed

create or replace function pg_background_list()
  returns table (
    pid bigint, cookie bigint, launched_at timestamptz, user_id oid, queue_size integer, state text, sql_preview text,
    last_error text, consumed boolean, label text
  )
  language sql
  stable
  security definer
  set search_path from current
as $$
  select list.pid, list.cookie, list.launched_at, list.user_id, list.queue_size, list.state, list.sql_preview,
         list.last_error, list.consumed, list.label
  from pg_background_list as list;
$$;

create or replace function pg_background_list_v2()
  returns table (
    pid bigint, cookie bigint, launched_at timestamptz, user_id oid, queue_size integer, state text, sql_preview text,
    last_error text, consumed boolean, label text
  )
  language sql
  stable
  set search_path from current
as $$
  select * from pg_background_list();
$$;
