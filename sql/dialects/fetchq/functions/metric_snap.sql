-- metric_snap() — keeps the counters of a queue as they are now: all, one, or those in a list

create or replace function metric_snap(par_queue varchar, out success boolean, out inserts integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  insert into doc_metrics (queue, metric, value)
  select queue, metric, value from metrics
  where queue = lower(par_queue) and queue in (select name from queues)
  order by metric;
  get diagnostics inserts = row_count;
  success := exists (select from queues where name = lower(par_queue));
  if not success then
    inserts := null;
  end if;
end;
$$;

create or replace function metric_snap(par_queue varchar, par_metric varchar, out success boolean, out inserts integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  insert into doc_metrics (queue, metric, value)
  select name, par_metric, coalesce((select value from metrics where queue = name and metric = par_metric), 0)
  from queues
  where name = lower(par_queue) and length(par_metric) <= 50;
  success := found;
  if success then
    inserts := 1;
  end if;
end;
$$;

create or replace function metric_snap(par_queue varchar, par_whitelist jsonb, out success boolean, out inserts integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  success := coalesce(jsonb_typeof(par_whitelist) = 'array', false) and exists (select from queues where name = lower(par_queue));
  if success then
    insert into doc_metrics (queue, metric, value)
    select queue, metric, value from metrics
    where queue = lower(par_queue) and metric in (select jsonb_array_elements_text(par_whitelist))
    order by metric;
    get diagnostics inserts = row_count;
  end if;
end;
$$;
