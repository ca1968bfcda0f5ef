-- Queues: create, drop, status.

-- queue_create() — a queue for documents, with its jobs and the relations clients read
--
-- False for a queue that is there, and for a name that cannot be one. Completed and
-- killed documents stay, and keep their subjects, until they are dropped or purged.

create or replace function queue_create(par_queue varchar, out was_created boolean, out queue_id integer)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_name varchar := lower(par_queue);
begin
  was_created := false;
  if v_name is null or v_name !~ '^[a-z_][a-z0-9_]{0,39}$' then
    raise log 'fetchq: % cannot be the name of a queue', par_queue;
    return;
  end if;
  lock table creations in share row exclusive mode;
  queue_id := queue_get_id(v_name);
  if to_regclass(format('%I.%I', data_schema(), v_name || '__docs')) is not null then
    return;
  end if;

  perform make_relations(v_name);
  insert into jobs (task, queue, next_iteration, settings, payload)
  values ('mnt', v_name, now(), '{"delay": "100ms", "duration": "1m", "limit": 500}', '{}'),
         ('sts', v_name, now(), '{"delay": "5m", "duration": "5m"}', '{}'),
         ('cmp', v_name, now(), '{"delay": "10m", "duration": "5m"}', '{}'),
         ('drp', v_name, now(), '{"delay": "10m", "duration": "5m"}', '{}')
  on conflict (task, queue) do nothing;
  perform pg_notify('fetchq_queue_create', v_name);
  was_created := true;
end;
$$;

-- queue_drop() — a queue with all its documents, logs and counters → gone

create or replace function queue_drop(par_queue varchar, out was_dropped boolean, out queue_id integer)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_name varchar := lower(par_queue);
begin
  was_dropped := false;
  perform close_queue(v_name);
  select id into queue_id from queues where name = v_name;
  if not found then
    raise log 'fetchq: nothing was dropped: there is no queue %', par_queue;
    return;
  end if;
  perform lock_books();
  -- Waits for maintenance of this queue before it holds what that may wait for.
  delete from jobs where queue = v_name;
  perform empty_queue(v_name);
  perform drop_relations(v_name);
  perform drop_document_index(v_name);
  delete from doc_logs where queue = v_name;
  delete from doc_metrics where queue = v_name;
  delete from metrics where queue = v_name;
  delete from metrics_writes where queue = v_name;
  delete from queues where name = v_name;
  perform set_queue(v_name, '{"keeps_keys": false, "max_attempts": null, "max_payload": null, "keep_done": null,
                              "keep_failed": null, "keep_cancelled": null}');
  perform pg_notify('fetchq_queue_drop', v_name);
  was_dropped := true;
end;
$$;

-- queue_get_id() — the id of a queue, which is registered if it is not there

create or replace function queue_get_id(par_queue varchar, out queue_id bigint)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if lower(par_queue) !~ '^[a-z_][a-z0-9_]{0,39}$' or par_queue is null then
    perform refuse('TK004', format('%L cannot be the name of a queue', par_queue),
                   'A name has 1 to 40 letters, digits and underscores, and does not begin with a digit.');
  end if;
  insert into queues (name) values (lower(par_queue)) on conflict (name) do nothing;
  select id into queue_id from queues where name = lower(par_queue);
end;
$$;

-- queue_status() — the queues there are

create or replace function queue_status()
  returns table (id integer, name varchar, is_active boolean)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select id, name, is_active from queues order by id;
$$;

create or replace function queue_status(par_queue varchar)
  returns table (id integer, name varchar, is_active boolean)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select id, name, is_active from queues where name = lower(par_queue);
$$;

-- queue_top() — documents of one version, whatever their status, in the order they came

create or replace function queue_top(par_queue varchar, par_version integer, par_limit integer, par_offset integer)
  returns table (
    subject        varchar,
    payload        jsonb,
    version        integer,
    priority       integer,
    attempts       integer,
    iterations     bigint,
    created_at     timestamptz,
    last_iteration timestamptz,
    next_iteration timestamptz,
    lock_upgrade   timestamptz
  )
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_queue queues := require_queue(par_queue);
begin
  return query
    select subject, payload, version, priority, attempts, iterations, created_at, last_iteration, next_iteration,
           lock_upgrade
    from document
    where queue = v_queue.name and version = par_version
    order by task
    limit par_limit
    offset par_offset;
end;
$$;
