-- Queues: their settings.

-- queue_set_current_version() — the version that new documents have; nothing rests on it

create or replace function queue_set_current_version(
  par_queue varchar, par_newversion integer, out affected_rows integer, out was_reindexed boolean
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  update queues set current_version = par_newversion where name = lower(par_queue) and par_newversion is not null;
  get diagnostics affected_rows = row_count;
  was_reindexed := affected_rows > 0;
end;
$$;

-- queue_set_docs_retention() — how long completed and killed documents are kept; null for ever
--
-- Not in the original, which keeps them for ever. The job drp purges them, and
-- queue_drop_docs() at once.

create or replace function queue_set_docs_retention(par_queue varchar, par_retention varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if par_retention is not null and coalesce(read_interval(par_retention) < interval '0', true) then
    perform refuse('TK004', format('%L is not a time to keep documents for', par_retention),
                   'Write ''30 days'', or null for ever.');
  end if;
  update queues
  set config = case when par_retention is null then config - 'docs_retention'
                    else config || jsonb_build_object('docs_retention', par_retention) end
  where name = lower(par_queue);
  get diagnostics affected_rows = row_count;
end;
$$;

-- queue_set_logs_retention() — how long the logs of a queue are kept

create or replace function queue_set_logs_retention(par_queue varchar, par_retention varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  update queues set logs_retention = par_retention
  where name = lower(par_queue) and read_interval(par_retention) is not null and length(par_retention) <= 25;
  get diagnostics affected_rows = row_count;
end;
$$;

-- queue_set_max_attempts() — how many picks a document gets before it is killed

create or replace function queue_set_max_attempts(
  par_queue varchar, par_maxattempts integer, out affected_rows integer, out was_reindexed boolean
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  -- The trigger on queues tells the engine.
  update queues set max_attempts = greatest(par_maxattempts, 1)
  where name = lower(par_queue) and par_maxattempts is not null;
  get diagnostics affected_rows = row_count;
  was_reindexed := affected_rows > 0;
end;
$$;

-- queue_set_metrics_retention() — which snapshots of counters are kept
--
--   [{"from": "1 day", "to": "1 hour", "retain": "minute"}]   one per minute of the last day
--
-- The text is JSON; one that is not, or that says something else, changes nothing.

create or replace function queue_set_metrics_retention(
  par_queue varchar, par_retention varchar, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  update queues set metrics_retention = par_retention::jsonb
  where name = lower(par_queue) and jsonb_typeof(par_retention::jsonb) = 'array';
  get diagnostics affected_rows = row_count;
exception when data_exception then
  raise log 'fetchq: the retention of metrics of queue % cannot be read: %', par_queue, sqlerrm;
  affected_rows := 0;
end;
$$;

-- queue_enable_notify() — from now on every change of a document sends a NOTIFY

create or replace function queue_enable_notify(par_queue varchar, out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues := require_queue(par_queue);
begin
  update queues set config = config || '{"notify": true}'
  where id = v_queue.id and config ->> 'notify' is distinct from 'true';
  success := true;
end;
$$;

-- queue_disable_notify() — changes of documents send no NOTIFY any more

create or replace function queue_disable_notify(par_queue varchar, out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  update queues set config = config - 'notify' where name = lower(par_queue) and config ? 'notify';
  success := true;
end;
$$;

-- queue_create_indexes() — an index over the payloads of the queue's documents; true for a queue that is there
--
-- What picks and counts need is indexed anyway, for all queues. With it, conditions such as
-- payload @> '{"customer": 7}' on <queue>__docs are looked up. See create_document_index().

create or replace function queue_create_indexes(par_queue varchar, out was_created boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  was_created := exists (select from queues where name = lower(par_queue));
  if was_created then
    perform create_document_index(lower(par_queue));
  end if;
end;
$$;

create or replace function queue_create_indexes(
  par_queue varchar, par_version integer, par_attempts integer, out was_created boolean
)
  language sql
  security definer
  set search_path from current
as $$
  select queue_create_indexes(par_queue);
$$;

-- queue_drop_indexes() — drops that index; true for a queue that is there

create or replace function queue_drop_indexes(par_queue varchar, out was_dropped boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  was_dropped := exists (select from queues where name = lower(par_queue));
  if was_dropped then
    perform drop_document_index(lower(par_queue));
  end if;
end;
$$;

-- queue_drop_version() — true unless it is the current version; no index rests on a version

create or replace function queue_drop_version(par_queue varchar, par_oldversion integer, out was_dropped boolean)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select not exists (select from queues where name = lower(par_queue) and current_version = par_oldversion);
$$;
