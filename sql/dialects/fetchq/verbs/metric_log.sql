-- Metrics: written to and packed.

-- metric_log_increment() — writes down what metric_log_pack() will add to a counter; 0 is nothing

create or replace function metric_log_increment(
  par_queue varchar, par_subject varchar, par_value integer, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  insert into metrics_writes (created_at, queue, metric, increment)
  select now(), lower(par_queue), par_subject, par_value
  where par_value <> 0;
  get diagnostics affected_rows = row_count;
end;
$$;

-- metric_log_decrement() — writes down what metric_log_pack() will take from a counter; 0 is nothing

create or replace function metric_log_decrement(
  par_queue varchar, par_subject varchar, par_value integer, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  insert into metrics_writes (created_at, queue, metric, increment)
  select now(), lower(par_queue), par_subject, -par_value::bigint
  where par_value <> 0;
  get diagnostics affected_rows = row_count;
end;
$$;

-- metric_log_set() — writes down a value that metric_log_pack() will give a counter

create or replace function metric_log_set(
  par_queue varchar, par_subject varchar, par_value integer, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  insert into metrics_writes (created_at, queue, metric, reset)
  values (now(), lower(par_queue), par_subject, par_value);
  affected_rows := 1;
end;
$$;

-- metric_log_pack() — folds what was written down into the counters; tells how many lines
--
-- Of each counter the newest value set, then everything added, also what was added
-- before. A line that begins with @ stands for what a call changes together; so it takes
-- one line to write down, which no session waits for. Any number may pack at once: each takes
-- lines that no other holds, and counters in one order. While a caller counts anew nothing
-- is packed, and no packer waits; see share_books().

create or replace function metric_log_pack(out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if not share_books() then
    affected_rows := 0;
    return;
  end if;
  with taken as materialized (
    delete from metrics_writes
    where ctid = any (array(select ctid from metrics_writes where created_at <= now() for update skip locked))
    returning *
  ), together (move, metric, sign) as (
    values ('@push', 'ent', 1), ('@push', 'cnt', 1), ('@push', 'v', 1), ('@push', 'pnd', 1),
           ('@plan', 'ent', 1), ('@plan', 'cnt', 1), ('@plan', 'v', 1), ('@plan', 'pln', 1),
           ('@pick', 'pkd', 1), ('@pick', 'act', 1), ('@pick', 'pnd', -1),
           ('@complete', 'prc', 1), ('@complete', 'cpl', 1), ('@complete', 'act', -1),
           ('@kill', 'prc', 1), ('@kill', 'kll', 1), ('@kill', 'act', -1),
           ('@drop', 'prc', 1), ('@drop', 'drp', 1), ('@drop', 'act', -1), ('@drop', 'cnt', -1), ('@drop', 'v', -1),
           ('@reject', 'prc', 1), ('@reject', 'err', 1), ('@reject', 'rej', 1), ('@reject', 'act', -1),
           ('@reject', 'pnd', 1),
           ('@spend', 'prc', 1), ('@spend', 'err', 1), ('@spend', 'rej', 1), ('@spend', 'act', -1),
           ('@spend', 'kll', 1),
           ('@again', 'prc', 1), ('@again', 'res', 1), ('@again', 'act', -1), ('@again', 'pnd', 1),
           ('@later', 'prc', 1), ('@later', 'res', 1), ('@later', 'act', -1), ('@later', 'pln', 1)
  ), summed as materialized (
    select line.queue,
           -- A version stands behind the word: '@push 3' counts v3.
           case together.metric when 'v' then 'v' || split_part(line.metric, ' ', 2)
                                else coalesce(together.metric, line.metric) end as metric,
           sum(line.added * coalesce(together.sign, 1)) as added,
           (array_agg(line.reset order by line.reset_at desc) filter (where line.reset is not null))[1] as reset
    from (
      select queue, metric, coalesce(sum(increment), 0) as added,
             max(created_at) filter (where reset is not null) as reset_at,
             (array_agg(reset order by created_at desc) filter (where reset is not null))[1] as reset
      from taken
      group by queue, metric
    ) as line
    left join together on together.move = split_part(line.metric, ' ', 1)
    group by 1, 2
  ), packed as (
    insert into metrics as old (queue, metric, value, updated_at)
    select queue, metric, coalesce(reset, 0) + added, now()
    from summed
    order by queue, metric
    on conflict (queue, metric) do update
      set value      = excluded.value + case
                         when exists (select from summed where summed.queue = old.queue and summed.metric = old.metric
                                                          and summed.reset is not null)
                         then 0 else old.value end,
          updated_at = excluded.updated_at
  )
  select count(*) into affected_rows
  from taken
  left join together on together.move = split_part(taken.metric, ' ', 1);
end;
$$;

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
  success := coalesce(jsonb_typeof(par_whitelist) = 'array', false)
             and exists (select from queues where name = lower(par_queue));
  if success then
    insert into doc_metrics (queue, metric, value)
    select queue, metric, value from metrics
    where queue = lower(par_queue) and metric in (select jsonb_array_elements_text(par_whitelist))
    order by metric;
    get diagnostics inserts = row_count;
  end if;
end;
$$;
