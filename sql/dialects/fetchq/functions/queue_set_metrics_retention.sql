-- queue_set_metrics_retention() — which snapshots of counters are kept
--
--   [{"from": "1 day", "to": "1 hour", "retain": "minute"}]   one per minute of the last day
--
-- The text is JSON; one that is not, or that says something else, changes nothing.

create or replace function queue_set_metrics_retention(
  par_queue varchar, par_retention varchar, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  update queues set metrics_retention = par_retention::jsonb
  where name = lower(par_queue) and jsonb_typeof(par_retention::jsonb) = 'array';
  get diagnostics affected_rows = row_count;
exception when data_exception then
  raise log 'fetchq: the retention of metrics of queue % cannot be read: %', par_queue, sqlerrm;
  affected_rows := 0;
end;
$$;
