-- pg_background_activity — the list beside what the backend of each running task does

create view pg_background_activity as
  select list.pid, list.cookie, list.launched_at, list.user_id, list.queue_size, list.state as pgbg_state,
         list.sql_preview, list.last_error, list.consumed, list.label, activity.pid as backend_pid,
         activity.state as backend_state, activity.wait_event_type, activity.wait_event, activity.xact_start,
         activity.query_start, activity.backend_start, activity.query
  from pg_background_list as list
  left join tasks on tasks.id = list.pid
  left join sql_runs on sql_runs.task = tasks.id and sql_runs.claim = tasks.claim
  left join pg_stat_activity as activity on activity.pid = sql_runs.pid;
