-- Who may do what. Nobody else may do anything: PUBLIC has no rights in this schema.
--
--   admin > operator > producer, worker
--
-- An operator has what producers and workers have, an admin what operators have:
-- name each function under the lowest role that needs it.
--
--   select grant_verb('producer', 'enqueue');   execute, on all overloads of the name
--   select grant_view('operator', 'tasks_now'); select
--
-- Runs at the end of every migration that changed anything.

select grant_verb('producer', 'enqueue', 'enqueue_many', 'watch');
select grant_verb('producer', 'sql', 'statement', 'output_as_text');
select grant_verb('producer', 'hide_password');
select grant_view('producer', 'own_task');

select grant_verb('worker', 'claim', 'read_claim', 'extend', 'heartbeat', 'progress', 'log');
select grant_verb('worker', 'complete', 'complete_many', 'fail', 'fail_many', 'reject', 'kill', 'reschedule', 'release');
select grant_verb('worker', 'register_worker', 'forget_workers', 'sleep', 'wake');
select grant_verb('worker', 'rescue', 'rescue_queue', 'next_rescue', 'lost_holders', 'expire', 'sweep', 'roll_up', 'mend_limits');
select grant_verb('worker', 'register_chores', 'lead_chores', 'release_chores', 'report_chores', 'lock_chore', 'unlock_chore');
select grant_verb('worker', 'fence', 'run_chore', 'worn_tables');
select grant_verb('worker', 'fire');

select grant_verb('operator', 'cancel', 'cancel_many', 'kill_running', 'retry', 'move', 'amend', 'delete', 'delete_many', 'trace_key');
select grant_verb('operator', 'pause', 'resume', 'pause_group', 'resume_group', 'set_queue', 'set_group');
select grant_verb('operator', 'lock_for_edit');
select grant_verb('operator', 'drain_worker', 'read_events', 'follow', 'page_tasks', 'count_tasks', 'count_states', 'series', 'pulses');
select grant_verb('operator', 'resign');
select grant_view('operator', 'leader', 'chore_stats', 'chore_alert');
select grant_verb('operator', 'set_schedule', 'apply_schedules', 'delete_schedule', 'pause_schedule', 'resume_schedule');
select grant_verb('operator', 'run_schedule', 'preview_schedule', 'describe_schedule', 'backfill');
select grant_view('operator', 'schedule', 'occurrence');
select grant_view('operator', 'running_sql', 'sql_statement', 'sql_connection', 'sql_role');
select grant_view('operator', 'task', 'attempt', 'task_log', 'queue', 'queue_stats', 'queue_total', 'error_group', 'group_stats', 'worker');

select grant_verb('operator', 'set_trigger');
select grant_verb('worker', 'read_statement', 'read_connection', 'report_sql');
select grant_verb('admin', 'set_statement', 'set_connection', 'allow_sql', 'forbid_sql');

-- A server checks tokens with the rights of an operator: a hash opens nothing.
select grant_verb('operator', 'open_session', 'find_session', 'close_session');
select grant_verb('operator', 'find_token', 'has_tokens', 'claim_secret', 'begin_request', 'end_request');
select grant_verb('operator', 'start_operation', 'advance_operation', 'cancel_operation', 'count_operation');
select grant_view('operator', 'operation');
select grant_verb('admin', 'create_token', 'revoke_token');
select grant_view('admin', 'token', 'audit_entry');

select grant_verb('admin', 'grant_queue', 'revoke_queue', 'open_queue');
select grant_view('admin', 'queue_grant');
select guard_views();

-- How the verbs plan: once, by index, whatever the tables held at that moment. A
-- session may plan a verb while the tables are empty and keep that plan for days.
select steady_plans();
