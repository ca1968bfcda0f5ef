-- Who may do what. Other roles may do nothing: PUBLIC has no rights in this schema.
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

select grant_verb('producer', 'enqueue', 'enqueue_many', 'watch', 'rows_of');
select grant_verb('producer', 'sql', 'statement', 'output_as_text');
-- The role that a durable procedure runs as calls these; a token in its session proves for which task.
select grant_verb('producer', 'run', 'step', 'delay', 'await', 'begin_procedure', 'end_procedure', 'begin_call');
select grant_verb('producer', 'end_call', 'find_step', 'keep_step', 'begin_wait', 'run_effect');
select grant_verb('producer', 'hide_password');
select grant_view('producer', 'own_task');
select grant_verb('producer', 'signal', 'enqueue_batch', 'read_chunks');

select grant_verb('worker', 'claim', 'claim_queues', 'claim_fitting', 'read_claim', 'extend', 'heartbeat', 'progress');
select grant_verb('worker', 'log');
select grant_verb('worker', 'save_steps', 'read_steps', 'spawn', 'suspend', 'write_chunks');
select grant_verb('worker', 'complete', 'complete_many', 'complete_packs', 'fail', 'fail_many', 'reject', 'kill');
select grant_verb('worker', 'reschedule', 'release');
select grant_verb('worker', 'register_worker', 'forget_workers', 'sleep', 'next_due', 'wake');
select grant_verb('worker', 'rescue', 'rescue_queue', 'next_rescue', 'lost_holders', 'expire', 'sweep', 'roll_up');
select grant_verb('worker', 'repair_limits');
select grant_verb('worker', 'register_chores', 'lead_chores', 'release_chores', 'report_chores', 'lock_chore');
select grant_verb('worker', 'unlock_chore');
select grant_verb('worker', 'fence', 'run_chore', 'worn_tables');
select grant_verb('worker', 'fire');
select grant_verb('worker', 'read_push');

select grant_verb('operator', 'cancel', 'cancel_many', 'kill_running', 'retry', 'move', 'amend', 'delete');
select grant_verb('operator', 'delete_many', 'trace_key', 'explain', 'explain_queues');
select grant_verb('operator', 'read_family', 'read_dependencies');
select grant_verb('operator', 'pause', 'resume', 'pause_group', 'resume_group', 'set_queue', 'set_group');
select grant_verb('operator', 'lock_for_edit');
select grant_verb('operator', 'drain_worker', 'read_events', 'follow', 'page_tasks', 'count_tasks', 'count_states');
select grant_verb('operator', 'series', 'pulses', 'read_settings', 'handler_stats', 'find_documents');
select grant_verb('operator', 'resign');
select grant_view('operator', 'leader', 'chore_stats', 'chore_alert');
select grant_verb('operator', 'set_schedule', 'apply_schedules', 'delete_schedule', 'pause_schedule');
select grant_verb('operator', 'resume_schedule');
select grant_verb('operator', 'run_schedule', 'preview_schedule', 'normalize_schedule', 'backfill');
select grant_view('operator', 'schedule', 'occurrence');
select grant_view('operator', 'running_sql', 'sql_statement', 'sql_connection', 'sql_role');
select grant_view('operator', 'step', 'pending_signal', 'awaited_signal', 'awaited_task');
select grant_view('operator', 'task', 'attempt', 'task_log', 'queue', 'queue_stats', 'queue_total', 'error_group');
select grant_view('operator', 'group_stats', 'worker');

select grant_verb('operator', 'set_trigger');
select grant_verb('worker', 'read_statement', 'read_connection', 'report_sql', 'open_procedure');
select grant_verb('admin', 'create_document_index', 'drop_document_index');
select grant_verb('admin', 'set_statement', 'set_connection', 'allow_sql', 'forbid_sql');

-- A server checks tokens with the rights of an operator: a hash opens nothing.
select grant_verb('operator', 'open_session', 'find_session', 'close_session');
select grant_verb('operator', 'find_token', 'has_tokens', 'claim_secret', 'begin_request', 'end_request');
select grant_verb('operator', 'start_operation', 'advance_operation', 'cancel_operation', 'count_operation');
select grant_view('operator', 'operation');
select grant_verb('admin', 'create_token', 'revoke_token');
select grant_view('admin', 'token', 'audit_entry');

select grant_verb('admin', 'set_push');
select grant_view('operator', 'push');

select grant_verb('admin', 'grant_queue', 'revoke_queue', 'open_queue');
select grant_view('admin', 'queue_grant');
select guard_views();

-- How the verbs plan: once, by index, whatever the tables held at that moment. A
-- session may plan a verb while the tables are empty and keep that plan for days.
select pin_plan_settings();
