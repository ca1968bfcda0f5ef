-- metric_log_decrement() — writes down what metric_log_pack() will take from a counter; 0 is nothing

create or replace function metric_log_decrement(
  par_queue varchar, par_subject varchar, par_value integer, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  insert into metrics_writes (created_at, queue, metric, increment)
  select now(), lower(par_queue), par_subject, -par_value::bigint
  where par_value <> 0;
  get diagnostics affected_rows = row_count;
end;
$$;
