-- metric_compute_all() — metric_compute() of every queue

create or replace function metric_compute_all()
  returns table (queue varchar, cnt integer, pln integer, pnd integer, act integer, cpl integer, kll integer)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select queues.name, counted.cnt, counted.pln, counted.pnd, counted.act, counted.cpl, counted.kll
  from queues
  cross join lateral metric_compute(queues.name) as counted
  order by queues.name;
$$;
