-- queue_drop_metrics() — snapshots of counters that need not be kept
--
-- Of each span the newest snapshot per metric and unit of time stays. See
-- queue_set_metrics_retention() for the form of par_config.

create or replace function queue_drop_metrics(par_queue varchar, par_config jsonb, out removed_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_span record;
  v_gone integer;
begin
  removed_rows := 0;
  for v_span in
    select now() - ("from")::interval as since, now() - ("to")::interval as until, retain
    from jsonb_to_recordset(par_config) as given ("from" text, "to" text, retain text)
  loop
    delete from doc_metrics
    where queue = lower(par_queue) and created_at between v_span.since and v_span.until
      and id not in (
        select distinct on (metric, date_trunc(v_span.retain, created_at)) id
        from doc_metrics
        where queue = lower(par_queue) and created_at between v_span.since and v_span.until
        order by metric, date_trunc(v_span.retain, created_at), created_at desc, id desc
      );
    get diagnostics v_gone = row_count;
    removed_rows := removed_rows + v_gone;
  end loop;
exception when data_exception or feature_not_supported then
  raise log 'fetchq: the retention of metrics of queue % cannot be read: %', par_queue, sqlerrm;
  removed_rows := 0;
end;
$$;

create or replace function queue_drop_metrics(par_queue varchar, out removed_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  removed_rows := queue_drop_metrics(
    par_queue, coalesce((select metrics_retention from queues where name = lower(par_queue)), '[]'));
end;
$$;
