-- metric_log_set() — writes down a value that metric_log_pack() will give a counter

create or replace function metric_log_set(par_queue varchar, par_subject varchar, par_value integer, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  insert into metrics_writes (created_at, queue, metric, reset) values (now(), lower(par_queue), par_subject, par_value);
  affected_rows := 1;
end;
$$;
