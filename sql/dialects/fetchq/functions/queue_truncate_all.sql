-- queue_truncate_all() — queue_truncate() for every queue

create or replace function queue_truncate_all(out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform queue_truncate(name) from queues order by name;
  success := true;
end;
$$;

-- With an argument, whichever, the counters of no queue go too.
create or replace function queue_truncate_all(par_empty boolean, out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform lock_books();
  perform queue_truncate(name, par_empty) from queues order by name;
  delete from metrics;
  delete from metrics_writes;
  perform metric_reset_all();
  success := true;
end;
$$;
