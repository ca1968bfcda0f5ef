-- running_sql — the SQL tasks that run now: on which backend, doing or waiting for what, blocked by whom
--
-- What a backend does is shown as far as the reader may see it: members of
-- pg_read_all_stats see all. Over a connection there is the backend's number only.

create view running_sql as
  select tasks.id as task, tasks.queue, claims.worker, tasks.attempt, sql_runs.pid, sql_runs.connection,
         activity.state, activity.wait_event_type, activity.wait_event,
         case when activity.pid is not null then pg_blocking_pids(activity.pid) end as blocked_by,
         coalesce(tasks.started_at, claims.claimed_at) as started_at,
         clock_timestamp() - coalesce(sql_runs.began_at, tasks.started_at, claims.claimed_at) as running_for,
         activity.query, tasks.submitted_by,
         hide_password(tasks.kind, tasks.payload) as payload
  from tasks
  join claims on claims.id = tasks.claim
  left join sql_runs on sql_runs.task = tasks.id and sql_runs.claim = tasks.claim
  left join pg_stat_activity as activity on activity.pid = sql_runs.pid and sql_runs.connection is null
  where tasks.kind = 'sql'
    and ((select not has_grants from queues where name = '*')
      or exists (select from task as shown where shown.id = tasks.id and shown.row_id = tasks.id));

-- sql_statement — the statements that an admin registered

create view sql_statement as
  select name, sql, params, role, connection, settings, granted_to
  from sql_statements;

-- sql_connection — the databases elsewhere that an admin registered
--
-- No secret is stored here: `secret` says where the worker finds it.

create view sql_connection as
  select name, options, secret, roles, granted_to
  from sql_connections;

-- sql_role — who may send SQL of their own, and as whom it runs

create view sql_role as
  select submitter, role
  from sql_roles;
