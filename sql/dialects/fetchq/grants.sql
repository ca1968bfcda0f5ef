-- Who may do what with documents. PUBLIC may do nothing, as in the engine. The roles
-- are the engine's:
--
--   producer  puts documents in
--   worker    picks and ends them, and keeps house
--   operator  everything; the Node client needs no more
--
-- Runs at the end of every installation that changed anything.

select grant_verb('producer', 'info', 'doc_append', 'doc_push', 'doc_push_many', 'doc_upsert', 'queue_status');

select grant_verb('worker', 'info', 'queue_status', 'doc_pick', 'doc_pick_token', 'doc_extend');
select grant_verb('worker', 'doc_complete', 'doc_reschedule', 'doc_reject', 'doc_kill', 'doc_drop', 'log_error');
select grant_verb('worker', 'mnt', 'mnt_run', 'mnt_run_all', 'mnt_make_pending', 'mnt_reschedule_orphans',
                  'mnt_mark_dead');
select grant_verb('worker', 'mnt_job_pick', 'mnt_job_reschedule', 'mnt_job_run');
select grant_verb('worker', 'metric_log_set', 'metric_log_increment', 'metric_log_decrement', 'metric_log_pack',
                  'metric_snap');
select grant_verb('worker', 'metric_get', 'metric_get_all', 'metric_get_common', 'metric_get_total');

select grant_verb('operator', 'init', 'trace', 'doc_play', 'queue_create', 'queue_drop', 'queue_get_id', 'queue_top');
select grant_verb('operator', 'queue_truncate', 'queue_truncate_all', 'queue_drop_docs', 'queue_drop_logs',
                  'queue_drop_metrics');
select grant_verb('operator', 'queue_create_indexes', 'queue_drop_indexes', 'queue_drop_version',
                  'queue_set_current_version');
select grant_verb('operator', 'queue_set_max_attempts', 'queue_set_logs_retention', 'queue_set_metrics_retention',
                  'queue_set_docs_retention');
select grant_verb('operator', 'queue_enable_notify', 'queue_disable_notify', 'metric_set', 'metric_increment');
select grant_verb('operator', 'metric_compute', 'metric_compute_all', 'metric_reset', 'metric_reset_all');
select grant_verb('operator', 'utils_ts_retain', 'upgrade__310__320', 'upgrade__320__330');
select grant_verb('admin', 'destroy_with_terrible_consequences', 'drop_adopted');
select grant_view('operator', 'document');

-- What the Node client reads and writes without a function, and the relations of the
-- queues there are and of those to come.
do $$
declare
  v_operator text := install_role('operator');
  v_data     text := quote_ident(data_schema());
begin
  perform make_relations(name) from queues;
  if v_operator is null then
    return;
  end if;
  execute format(
    'grant select, insert, update, delete, truncate on queues, jobs, metrics, metrics_writes to %I', v_operator);
  execute format('grant usage on all sequences in schema %I to %I', current_schema(), v_operator);
  execute format('grant usage on schema %s to %I', v_data, v_operator);
  execute format('grant select, insert, update, delete on all tables in schema %s to %I', v_data, v_operator);
  execute format(
    'alter default privileges in schema %s grant select, insert, update, delete on tables to %I', v_data, v_operator);
end;
$$;

select pin_plan_settings();
