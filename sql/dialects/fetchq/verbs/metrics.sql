-- Metrics: read and changed.

-- metric_get() — a counter of a queue, or all of them, as they were packed last

create or replace function metric_get(
  par_queue varchar, par_subject varchar,
  out current_value integer, out last_update timestamptz, out does_exists boolean
)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
begin
  select shown(value), updated_at, true into current_value, last_update, does_exists
  from metrics where queue = lower(par_queue) and metric = par_subject;
  if not found then
    current_value := 0;
    does_exists := false;
  end if;
end;
$$;

create or replace function metric_get(par_queue varchar)
  returns table (metric varchar, current_value bigint, last_update timestamptz)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select metric, value, updated_at from metrics where queue = lower(par_queue) order by metric;
$$;

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

-- metric_get_total() — a counter summed over all queues

create or replace function metric_get_total(par_metric varchar, out current_value integer, out does_exists boolean)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select shown(coalesce(sum(value), 0)::bigint), count(*) > 0 from metrics where metric = par_metric;
$$;

-- metric_increment() — adds to a counter at once

create or replace function metric_increment(
  par_queue varchar, par_subject varchar, par_value integer, out current_value integer, out was_created boolean
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  insert into metrics as old (queue, metric, value, updated_at)
  values (lower(par_queue), par_subject, par_value, now())
  on conflict (queue, metric) do update
    set value = old.value + excluded.value, updated_at = excluded.updated_at
  returning shown(old.value), old.xmax = 0 into current_value, was_created;
end;
$$;

-- metric_set() — gives a counter a value at once

create or replace function metric_set(
  par_queue varchar, par_subject varchar, par_value integer, out current_value integer, out was_created boolean
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  insert into metrics as old (queue, metric, value, updated_at)
  values (lower(par_queue), par_subject, par_value, now())
  on conflict (queue, metric) do update
    set value = excluded.value, updated_at = excluded.updated_at
  -- A row that was updated has an xmax; one that was inserted has none.
  returning old.value, old.xmax = 0 into current_value, was_created;
end;
$$;

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
  from (
    values ('cnt', cnt), ('pln', pln), ('pnd', pnd), ('act', act), ('cpl', cpl), ('kll', kll)
  ) as counter (name, value);
end;
$$;

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
