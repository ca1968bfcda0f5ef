-- metric_compute() — the documents of a queue, counted one by one

create or replace function metric_compute(
  par_queue varchar,
  out cnt integer, out pln integer, out pnd integer, out act integer, out kll integer, out cpl integer
)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
declare
  v_queue queues := require_queue(par_queue);
begin
  select count(*), count(*) filter (where status = 0), count(*) filter (where status = 1),
         count(*) filter (where status = 2), count(*) filter (where status = -1), count(*) filter (where status = 3)
  into cnt, pln, pnd, act, kll, cpl
  from document
  where queue = v_queue.name;
end;
$$;
