-- make_relations() — what clients read of a queue: <queue>__docs, __logs and __metrics
--
-- Views, made again with every change of this version. Documents are changed through
-- them by write_document().

create or replace function make_relations(p_queue varchar)
  returns void
  language plpgsql
as $$
declare
  v_schema text := data_schema();
begin
  execute format(
    'create or replace view %I.%I as
       select subject, version, priority, status, attempts, iterations, next_iteration, lock_upgrade, created_at,
              last_iteration, payload
       from (%s) as document
       where queue = %L',
    v_schema, p_queue || '__docs', rtrim(pg_get_viewdef('document'::regclass), ';'), p_queue);
  execute format(
    'create or replace trigger write_document instead of insert or update or delete on %I.%I
       for each row execute function write_document(%L)',
    v_schema, p_queue || '__docs', p_queue);
  execute format(
    'create or replace view %I.%I as
       select id, created_at, subject, message, details, ref_id from doc_logs where queue = %L',
    v_schema, p_queue || '__logs', p_queue);
  execute format(
    'create or replace view %I.%I as
       select id, created_at, metric, value from doc_metrics where queue = %L',
    v_schema, p_queue || '__metrics', p_queue);
end;
$$;
