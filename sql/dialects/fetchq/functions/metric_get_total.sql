-- metric_get_total() — a counter summed over all queues

create or replace function metric_get_total(par_metric varchar, out current_value integer, out does_exists boolean)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select shown(coalesce(sum(value), 0)::bigint), count(*) > 0 from metrics where metric = par_metric;
$$;
