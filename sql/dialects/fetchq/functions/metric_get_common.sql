-- metric_get_common() — the counters that every queue has; null for one never written

create or replace function metric_get_common(
  par_queue varchar,
  out cnt integer, out pnd integer, out pln integer, out act integer, out cpl integer, out kll integer, out ent integer,
  out drp integer, out pkd integer, out prc integer, out res integer, out rej integer, out orp integer, out err integer
)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select shown(max(value) filter (where metric = 'cnt')),
         shown(max(value) filter (where metric = 'pnd')),
         shown(max(value) filter (where metric = 'pln')),
         shown(max(value) filter (where metric = 'act')),
         shown(max(value) filter (where metric = 'cpl')),
         shown(max(value) filter (where metric = 'kll')),
         shown(max(value) filter (where metric = 'ent')),
         shown(max(value) filter (where metric = 'drp')),
         shown(max(value) filter (where metric = 'pkd')),
         shown(max(value) filter (where metric = 'prc')),
         shown(max(value) filter (where metric = 'res')),
         shown(max(value) filter (where metric = 'rej')),
         shown(max(value) filter (where metric = 'orp')),
         shown(max(value) filter (where metric = 'err'))
  from metrics
  where queue = lower(par_queue);
$$;
