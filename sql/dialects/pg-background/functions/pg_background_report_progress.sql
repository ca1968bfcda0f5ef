-- pg_background_report_progress() — says, from within a task's SQL, how far it has come
--
-- Said to whoever runs the SQL and written down at once, outside the transaction of
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
