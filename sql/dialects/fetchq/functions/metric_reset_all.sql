-- metric_reset_all() — metric_reset() of every queue

create or replace function metric_reset_all()
  returns table (queue varchar, cnt integer, pln integer, pnd integer, act integer, cpl integer, kll integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  return query
    select queues.name, counted.cnt, counted.pln, counted.pnd, counted.act, counted.cpl, counted.kll
    from queues
    cross join lateral metric_reset(queues.name) as counted
    order by queues.name;
end;
$$;
