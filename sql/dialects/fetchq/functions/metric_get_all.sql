-- metric_get_all() — metric_get_common() of every queue

create or replace function metric_get_all()
  returns table (
    queue varchar, cnt integer, pnd integer, pln integer, act integer, cpl integer, kll integer, ent integer,
    drp integer, pkd integer, prc integer, res integer, rej integer, orp integer, err integer
  )
  language sql
  stable
  security definer
  set search_path from current
as $$
  select queues.name, common.*
  from queues
  cross join lateral metric_get_common(queues.name) as common
  order by queues.name;
$$;
