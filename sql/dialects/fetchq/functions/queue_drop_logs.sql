-- queue_drop_logs() — the logs of a queue that are older than a time, a duration, or its retention

create or replace function queue_drop_logs(par_queue varchar, par_retention timestamptz, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  delete from doc_logs where queue = lower(par_queue) and created_at < par_retention;
  get diagnostics affected_rows = row_count;
end;
$$;

create or replace function queue_drop_logs(par_queue varchar, par_retention varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := queue_drop_logs(par_queue, now() - read_interval(par_retention));
end;
$$;

create or replace function queue_drop_logs(par_queue varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := queue_drop_logs(
    par_queue,
    now() - coalesce(read_interval((select logs_retention from queues where name = lower(par_queue))), interval '24 hours'));
end;
$$;
