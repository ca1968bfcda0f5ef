-- Who may do what with background tasks. PUBLIC may do nothing.
--
-- Members of pgbackground_role may launch, as with the original, and roles that an admin
-- allows to send SQL (allow_sql). A role sees its own tasks; operators see all.

select grant_verb('producer', 'background_launch', 'background_caller', 'background_result', 'background_rows',
                  'background_read_as', 'background_plain_types');
select grant_verb('producer', 'background_sees_all', 'background_submitter', 'background_schema', 'background_error');
select grant_verb('producer', 'pg_background_launch', 'pg_background_launch_v2', 'pg_background_submit',
                  'pg_background_submit_v2');
select background_open_procedures();
select grant_verb('producer', 'pg_background_result', 'pg_background_result_v2', 'pg_background_rows');
select grant_verb('producer', 'pg_background_wait', 'pg_background_wait_v2', 'pg_background_wait_v2_timeout');
select grant_verb('producer', 'pg_background_wait_any', 'pg_background_wait_any_v2', 'pg_background_drain',
                  'pg_background_drain_v2');
select grant_verb('producer', 'pg_background_outcome', 'pg_background_outcome_v2');
select grant_verb('producer', 'pg_background_result_info', 'pg_background_result_info_v2');
select grant_verb('producer', 'pg_background_error_info', 'pg_background_error_info_v2');
select grant_verb('producer', 'pg_background_full_sql', 'pg_background_full_sql_v2');
select grant_verb('producer', 'pg_background_progress', 'pg_background_report_progress');
select grant_verb('producer', 'pg_background_get_progress', 'pg_background_get_progress_v2');
select grant_verb('producer', 'pg_background_cancel', 'pg_background_cancel_v2', 'pg_background_cancel_v2_grace');
select grant_verb('producer', 'pg_background_cancel_all', 'pg_background_cancel_all_v2');
select grant_verb('producer', 'pg_background_cancel_by_label', 'pg_background_cancel_by_label_v2');
select grant_verb('producer', 'pg_background_detach', 'pg_background_detach_v2');
select grant_verb('producer', 'pg_background_detach_all', 'pg_background_detach_all_v2');
select grant_verb('producer', 'pg_background_purge', 'pg_background_purge_v2');
select grant_verb('producer', 'pg_background_list', 'pg_background_list_v2', 'pg_background_stats',
                  'pg_background_stats_v2');
select grant_view('producer', 'pg_background_tasks', 'pg_background_list', 'pg_background_activity');

select grant_verb('operator', 'pg_background_set_topic', 'pg_background_set_defaults', 'pg_background_load_settings');
select grant_view('operator', 'pg_background_settings');

select grant_verb('admin', 'pg_background_grant_privileges', 'pg_background_revoke_privileges',
                  'pg_background_set_loopback');
select grant_verb('admin', 'grant_pg_background_privileges', 'revoke_pg_background_privileges');

-- The original's own role has what producers have here.
select background_open_role();

select pin_plan_settings();

select background_publish_again();
