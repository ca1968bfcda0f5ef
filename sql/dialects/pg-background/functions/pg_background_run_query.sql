-- pg_background_run_query() — as pg_background_run(), but gives the rows, or raises the task's error
--
--   call pg_background_run_query('select 1 as n');   -- result: [{"n": 1}]

create or replace procedure pg_background_run_query(
  sql          text,
  queue_size   integer default 0,
  timeout_ms   integer default 0,
  label        text    default null,
  inout result jsonb   default null,
  dialect      text    default background_schema()
)
  language plpgsql
as $$
declare
  v_pid   bigint;
  v_ended boolean;
begin
  execute pg_catalog.format('select pid from %I.pg_background_launch_v2($1, $2, $3)', dialect)
  into v_pid using sql, queue_size, label;
  commit;
  execute pg_catalog.format('select %I.pg_background_wait($1, timeout_ms => $2)', dialect) into v_ended using v_pid, timeout_ms;
  execute pg_catalog.format('select %I.pg_background_detach($1)', dialect) using v_pid;
  if not v_ended then
    execute pg_catalog.format('select %I.pg_background_cancel($1)', dialect) using v_pid;
    commit;
    raise exception using
      errcode = '57014', message = pg_catalog.format('background task %s did not end within %s ms', v_pid, timeout_ms),
      hint = 'It was cancelled.';
  end if;
  execute pg_catalog.format(
    'select coalesce(jsonb_agg(value), ''[]'') from %I.pg_background_rows($1) as value', dialect)
  into result using v_pid;
end;
$$;
