-- pg_background_run() — launches a task, commits, and waits for its end: CALL pg_background_run('vacuum accounts')
--
-- A procedure, because a task starts when the transaction that launched it commits;
-- so it cannot be called inside a transaction block. After timeout_ms the task is
-- cancelled. The last argument says where the dialect is; leave it as it is.

create or replace procedure pg_background_run(
  sql                 text,
  queue_size          integer default 0,
  timeout_ms          integer default 0,
  label               text    default null,
  inout pid           bigint  default null,
  inout cookie        bigint  default null,
  inout state         text    default null,
  inout completed     boolean default null,
  inout has_error     boolean default null,
  inout row_count     bigint  default null,
  inout command_tag   text    default null,
  inout sqlstate      text    default null,
  inout error_message text    default null,
  inout timed_out     boolean default null,
  inout elapsed_ms    bigint  default null,
  dialect             text    default background_schema()
)
  language plpgsql
as $$
declare
  v_began timestamptz := pg_catalog.clock_timestamp();
begin
  execute pg_catalog.format('select * from %I.pg_background_launch_v2($1, $2, $3)', dialect)
  into pid, cookie using sql, queue_size, label;
  commit;
  execute pg_catalog.format('select not %I.pg_background_wait($1, $2, $3)', dialect)
  into timed_out using pid, cookie, timeout_ms;
  if timed_out then
    execute pg_catalog.format('select %I.pg_background_cancel($1, $2)', dialect) using pid, cookie;
    commit;
  end if;
  execute pg_catalog.format(
    'select state, completed, has_error, row_count, command_tag, sqlstate, error_message
     from %I.pg_background_outcome($1, $2)', dialect)
  into state, completed, has_error, row_count, command_tag, sqlstate, error_message using pid, cookie;
  execute pg_catalog.format('select %I.pg_background_detach($1, $2)', dialect) using pid, cookie;
  elapsed_ms := pg_catalog.date_part('epoch', pg_catalog.clock_timestamp() - v_began) * 1000;
end;
$$;
