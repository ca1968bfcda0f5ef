-- metric_reset() — the counters of a queue as counted now; those that only grow begin anew

create or replace function metric_reset(
  par_queue varchar,
  out cnt integer, out pln integer, out pnd integer, out act integer, out cpl integer, out kll integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues := require_queue(par_queue);
begin
  perform lock_books();
  delete from metrics where queue = v_queue.name;
  -- One look at both: a document that is counted has its line deleted, and no other.
  with counted_already as (
    delete from metrics_writes where queue = v_queue.name
  )
  select counted.cnt, counted.pln, counted.pnd, counted.act, counted.cpl, counted.kll
  into cnt, pln, pnd, act, cpl, kll
  from metric_compute(v_queue.name) as counted;
  insert into metrics (queue, metric, value, updated_at)
  select v_queue.name, counter.name, counter.value, now()
  from (values ('cnt', cnt), ('pln', pln), ('pnd', pnd), ('act', act), ('cpl', cpl), ('kll', kll)) as counter (name, value);
end;
$$;
