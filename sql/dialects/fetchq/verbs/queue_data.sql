-- Queues: what they hold, removed by age or all at once.

-- queue_drop_docs() — completed | killed → gone, when their retention is over
--
-- Not in the original. Without a retention nothing goes.

create or replace function queue_drop_docs(par_queue varchar, par_retention varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  c_portion constant integer := 10000;
  v_queue   queues   := require_queue(par_queue);
  v_keep    interval := read_interval(par_retention);
  v_over    record;
begin
  affected_rows := 0;
  loop
    select array_agg(id) as tasks, count(*) as n, count(*) filter (where state = 'done') as done,
           array_agg(distinct version) as versions, array_agg(version) as each_version
    into v_over
    from (
      select id, state, version from ended_task
      where queue = v_queue.name and kind = 'document' and finished_at < now() - v_keep
      limit c_portion
      -- A session that brings one back, or drops it, at this moment has it locked.
      for update skip locked
    ) as over;
    exit when v_over.n = 0;

    perform forget_documents(v_over.tasks);
    perform tally(v_queue.name, '{cnt,cpl,kll}', array[-v_over.n, -v_over.done, v_over.done - v_over.n]);
    perform tally(v_queue.name, array['v' || gone.version], array[-gone.n])
    from (select version, count(*) as n from unnest(v_over.each_version) as version group by version) as gone;
    affected_rows := affected_rows + v_over.n;
  end loop;
end;
$$;

create or replace function queue_drop_docs(par_queue varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := queue_drop_docs(par_queue, (require_queue(par_queue)).config ->> 'docs_retention');
end;
$$;

-- queue_drop_logs() — the logs of a queue that are older than a time, a duration, or its retention

create or replace function queue_drop_logs(par_queue varchar, par_retention timestamptz, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  delete from doc_logs where queue = lower(par_queue) and created_at < par_retention;
  get diagnostics affected_rows = row_count;
end;
$$;

create or replace function queue_drop_logs(par_queue varchar, par_retention varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := queue_drop_logs(par_queue, now() - read_interval(par_retention));
end;
$$;

create or replace function queue_drop_logs(par_queue varchar, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  affected_rows := queue_drop_logs(
    par_queue,
    now() - coalesce(
      read_interval((select logs_retention from queues where name = lower(par_queue))), interval '24 hours'));
end;
$$;

-- queue_drop_metrics() — snapshots of counters that need not be kept
--
-- Of each span the newest snapshot per metric and unit of time stays. See
-- queue_set_metrics_retention() for the form of par_config.

create or replace function queue_drop_metrics(par_queue varchar, par_config jsonb, out removed_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_span record;
  v_gone integer;
begin
  removed_rows := 0;
  for v_span in
    select now() - ("from")::interval as since, now() - ("to")::interval as until, retain
    from jsonb_to_recordset(par_config) as given ("from" text, "to" text, retain text)
  loop
    delete from doc_metrics
    where queue = lower(par_queue) and created_at between v_span.since and v_span.until
      and id not in (
        select distinct on (metric, date_trunc(v_span.retain, created_at)) id
        from doc_metrics
        where queue = lower(par_queue) and created_at between v_span.since and v_span.until
        order by metric, date_trunc(v_span.retain, created_at), created_at desc, id desc
      );
    get diagnostics v_gone = row_count;
    removed_rows := removed_rows + v_gone;
  end loop;
exception when data_exception or feature_not_supported then
  raise log 'fetchq: the retention of metrics of queue % cannot be read: %', par_queue, sqlerrm;
  removed_rows := 0;
end;
$$;

create or replace function queue_drop_metrics(par_queue varchar, out removed_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  removed_rows := queue_drop_metrics(
    par_queue, coalesce((select metrics_retention from queues where name = lower(par_queue)), '[]'));
end;
$$;

-- queue_truncate() — all documents of a queue → gone, and its counters as they are then
--
-- With par_empty its logs and snapshots too, and its jobs begin anew. Takes no lock on
-- whole tables.

create or replace function queue_truncate(par_queue varchar, par_empty boolean, out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues := require_queue(par_queue);
begin
  perform lock_books();
  -- Waits for maintenance of this queue before it holds what that may wait for.
  perform from jobs where queue = v_queue.name order by id for update;
  perform empty_queue(v_queue.name);
  if par_empty then
    delete from doc_logs where queue = v_queue.name;
    delete from doc_metrics where queue = v_queue.name;
    update jobs
    set attempts       = 0,
        iterations     = 0,
        next_iteration = now(),
        last_iteration = null
    where queue = v_queue.name;
  end if;
  perform metric_reset(v_queue.name);
  success := true;
end;
$$;

create or replace function queue_truncate(par_queue varchar, out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  success := queue_truncate(par_queue, false);
end;
$$;

-- queue_truncate_all() — queue_truncate() for every queue

create or replace function queue_truncate_all(out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform queue_truncate(name) from queues order by name;
  success := true;
end;
$$;

-- With an argument, whichever, the counters of no queue go too.
create or replace function queue_truncate_all(par_empty boolean, out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform lock_books();
  perform queue_truncate(name, par_empty) from queues order by name;
  delete from metrics;
  delete from metrics_writes;
  perform metric_reset_all();
  success := true;
end;
$$;

-- utils_ts_retain() — thins out any table with an id: per unit of time the newest row stays
--
-- With the rights of the caller: it deletes from whatever table it is given.

create or replace function utils_ts_retain(
  tablename varchar, fieldname varchar, retainstr varchar, intervalstart timestamptz, intervalend timestamptz,
  out removed_rows bigint
)
  language plpgsql
as $$
begin
  execute format(
    'delete from %1$s
     where %2$I between $2 and $3
       and id not in (
         select distinct on (date_trunc($1, %2$I)) id from %1$s
         where %2$I between $2 and $3
         order by date_trunc($1, %2$I), %2$I desc)',
    tablename::regclass, fieldname)
  using retainstr, intervalstart, intervalend;
  get diagnostics removed_rows = row_count;
end;
$$;
