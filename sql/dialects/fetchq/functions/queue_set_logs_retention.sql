-- queue_set_logs_retention() — how long the logs of a queue are kept

create or replace function queue_set_logs_retention(par_queue varchar, par_retention varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  update queues set logs_retention = par_retention
  where name = lower(par_queue) and read_interval(par_retention) is not null and length(par_retention) <= 25;
  get diagnostics affected_rows = row_count;
end;
$$;
