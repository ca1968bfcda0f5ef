-- Progress, lists and statistics.

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
    select row(
             substring(progress ->> 'percent' from '^[0-9]{1,3}')::integer, progress ->> 'message'
           )::pg_background_progress_info
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

-- pg_background_report_progress() — says, from within a task's SQL, how far it has come
--
-- Sent to the worker that runs the SQL and stored at once, outside the transaction of
-- the task: so it is seen while the task runs. Elsewhere it is only a message.

create or replace function pg_background_report_progress(pct integer, msg text default null)
  returns void
  language plpgsql
  set search_path from current
as $$
declare
  v_percent integer := least(greatest(coalesce(pct, 0), 0), 100);
begin
  raise info using
    errcode = 'TK100',
    message = concat_ws(': ', format('%s%%', v_percent), msg),
    detail  = jsonb_build_object('percent', v_percent, 'message', msg);
end;
$$;

create or replace function pg_background_progress(pct integer, msg text default null)
  returns void
  language sql
  set search_path from current
as $$
  select pg_background_report_progress(pct, msg);
$$;

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

-- pg_background_stats() — counts over all sessions, of the tasks that are still kept
--
-- The caller's own, or everybody's for an operator.

create or replace function pg_background_stats()
  returns pg_background_stats
  language sql
  stable
  security definer
  set search_path from current
as $$
  select row(
    count(*), count(*) filter (where state = 'done'),
    count(*) filter (where state = 'failed' and reason <> 'timeout'), count(*) filter (where state = 'cancelled'),
    count(*) filter (where reason = 'timeout'), (count(*) filter (where state = 'running'))::integer,
    (avg(extract(epoch from finished_at - started_at)) filter (where state = 'done') * 1000)::double precision,
    background_limit())::pg_background_stats
  from background_task
  where (select background_sees_all()) or submitted_by = (select submitter());
$$;

create or replace function pg_background_stats_v2()
  returns pg_background_stats
  language sql
  set search_path from current
as $$
  select pg_background_stats();
$$;
