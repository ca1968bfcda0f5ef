-- How an installation of Fetchq is taken over: its documents become tasks.

-- lock_original() — waits for callers of the original, and keeps others out until the end of the transaction

create or replace function lock_original(p_system text, p_data text)
  returns void
  language plpgsql
as $$
declare
  v_table regclass;
begin
  perform set_config('lock_timeout', '5s', true);
  for v_table in
    select oid from pg_catalog.pg_class
    where relkind = 'r'
      and relnamespace in (to_regnamespace(quote_ident(p_system)), to_regnamespace(quote_ident(p_data)))
    order by oid
  loop
    begin
      execute format('lock table %s in access exclusive mode', v_table);
    exception when lock_not_available then
      perform refuse(
        'TK003',
        format('the table %s of the schema fetchq%s is in use%s', (select relname from pg_class where oid = v_table),
               case when p_data = (select relnamespace::regnamespace::text from pg_class where oid = v_table)
                    then '_data' else '' end,
               (select format(' by process %s', min(pid)) from pg_catalog.pg_locks
                where relation = v_table and granted and pid <> pg_backend_pid() having count(*) > 0)),
        'Nothing was changed. Wait for that transaction or end it, and begin again.');
    end;
  end loop;
  perform set_config('lock_timeout', '0', true);
end;
$$;

-- move_settings() — the registry, the jobs and the counters

create or replace function move_settings(p_system text, p_data text)
  returns void
  language plpgsql
as $$
begin
  execute format(
    'insert into queues (id, created_at, name, is_active, current_version, max_attempts, logs_retention,
                         metrics_retention, config)
     select id, coalesce(created_at, now()), lower(name), coalesce(is_active, true), coalesce(current_version, 0),
            coalesce(max_attempts, 5), coalesce(logs_retention, ''24h''), coalesce(metrics_retention, ''[]''),
            coalesce(config, ''{}'') || case when exists (
              select from pg_catalog.pg_trigger
              where tgrelid = to_regclass(format(''%%I.%%I'', %2$L::text, lower(name) || ''__docs''))
                and tgname ~ ''^fetchq__.*__trg_notify_insert$'')
              then ''{"notify": true}''::jsonb else ''{}'' end
     from %1$I.queues order by id', p_system, p_data);
  perform queue_create(name) from queues order by id;
  execute format(
    'insert into jobs (task, queue, attempts, iterations, next_iteration, last_iteration, settings, payload)
     select task, lower(queue), attempts, iterations, next_iteration, last_iteration, settings, payload
     from %I.jobs
     where queue = ''*'' or lower(queue) in (select name from queues)
     on conflict (task, queue) do update
       set (attempts, iterations, next_iteration, last_iteration, settings, payload)
         = (excluded.attempts, excluded.iterations, excluded.next_iteration, excluded.last_iteration,
            excluded.settings, excluded.payload)', p_system);
  -- The original has no constraint that a counter has one row; it reads and writes them all.
  execute format(
    'insert into metrics (queue, metric, value, updated_at)
     select distinct on (queue, metric) queue, metric, value, updated_at
     from %I.metrics order by queue, metric, updated_at desc nulls last, id desc', p_system);
  execute format(
    'insert into metrics_writes (id, created_at, queue, metric, increment, reset)
     select id, created_at, queue, metric, increment, reset from %I.metrics_writes', p_system);
  perform setval(pg_get_serial_sequence('queues', 'id'), max(id)) from queues having max(id) is not null;
end;
$$;

-- move_books() — the logs of a queue, and its counters as they were

create or replace function move_books(p_queue varchar, p_logs regclass, p_metrics regclass)
  returns void
  language plpgsql
as $$
begin
  execute format(
    'insert into doc_logs (queue, created_at, subject, message, details, ref_id)
     select %L, coalesce(created_at, now()), subject, message, details, ref_id from %s order by id', p_queue, p_logs);
  execute format(
    'insert into doc_metrics (queue, created_at, metric, value)
     select %L, coalesce(created_at, now()), metric, value from %s order by id', p_queue, p_metrics);
end;
$$;

-- move_documents() — the documents of a queue, with everything that happened to them
--
-- In portions of pages, in the order in which the table has them. Those that are active come first, while the
-- queue has no other: each is claimed until its lock ends, so that its worker can end it.

create or replace function move_documents(p_queue varchar, p_docs regclass)
  returns void
  language plpgsql
as $$
#variable_conflict use_column
declare
  c_pages constant integer := 16;
  c_row   constant text := format(
    'row(%L, subject, version, priority, status, attempts, iterations, finite(next_iteration), null,
         finite(coalesce(created_at, now())), finite(last_iteration), coalesce(payload, ''null''), null)::document',
    p_queue);
  v_docs  document[];
  v_doc   document;
begin
  if exists (select from task_key where queue = p_queue) then
    perform refuse('TK003', format('the engine has tasks with keys in the queue %s already', p_queue),
                   'Move or delete them, so that no subject exists twice.');
  end if;
  for v_doc in execute format('select (%s).* from %s where status = 2 order by ctid', c_row, p_docs) loop
    perform move_held(v_doc.subject, p_queue, v_doc.version, v_doc.priority, v_doc.attempts, v_doc.iterations,
                      v_doc.next_iteration, v_doc.created_at, v_doc.last_iteration, v_doc.payload);
  end loop;
  for v_page in 0 .. pg_relation_size(p_docs) / current_setting('block_size')::integer by c_pages loop
    execute format(
      'select array_agg(%s order by ctid) from %s where status <> 2 and ctid >= %L and ctid < %L',
      c_row, p_docs, format('(%s,0)', v_page), format('(%s,0)', v_page + c_pages)) into v_docs;
    continue when v_docs is null;

    with stored as materialized (
      select made.id, made.place
      from enqueue_many(
        array_fill(p_queue::text, array[cardinality(v_docs)]), array(select payload from unnest(v_docs)),
        p_kinds => array_fill('document'::text, array[cardinality(v_docs)]),
        p_priorities => array(select priority from unnest(v_docs)),
        p_run_ats => array(select next_iteration from unnest(v_docs)),
        p_keys => array(select subject::text from unnest(v_docs)),
        p_versions => array(select version from unnest(v_docs))) with ordinality as made (id, outcome, place)
    )
    select array_agg(row(doc.queue, doc.subject, doc.version, doc.priority, doc.status, doc.attempts, doc.iterations,
                         doc.next_iteration, null, doc.created_at, doc.last_iteration, null, stored.id)::document)
    into v_docs
    from unnest(v_docs) with ordinality as doc
    join stored on stored.place = doc.ordinality;
    -- What ends by complete or kill counts an iteration, which the view adds to those of the engine.
    perform backdate_tasks(
      array(select task from unnest(v_docs)), array(select created_at from unnest(v_docs)),
      array(select attempts from unnest(v_docs)),
      array(select case when status = 3 or (status = -1 and attempts = 0) then greatest(iterations - 1, 0)
                        else iterations end from unnest(v_docs)));
    insert into planned (task, queue, run_at) select task, queue, next_iteration from unnest(v_docs) where status = 0;
    insert into rounds (task, rejects, last_iteration, next_iteration)
    select task,
           case when iterations = 0 and (status = 3 or (status = -1 and attempts = 0)) then -1 else 0 end,
           last_iteration, case when status in (3, -1) then next_iteration end
    from unnest(v_docs)
    where (status in (0, 1) and last_iteration is not null) or status = -1 or (status = 3 and (
      iterations = 0 or next_iteration <> timestamptz '2970-01-01 00:00:00+00'));
    perform end_moved(array_agg(task), array_agg(status), array_agg(attempts), array_agg(last_iteration),
                      array_agg(created_at))
    from unnest(v_docs) where status in (3, -1)
    having count(*) > 0;
  end loop;
end;
$$;

-- move_held() — a document that is active: a task whose claim ends when the lock did

create or replace function move_held(
  p_subject text, p_queue text, p_version integer, p_priority integer, p_attempts integer, p_iterations bigint,
  p_until timestamptz, p_created_at timestamptz, p_last timestamptz, p_payload jsonb
)
  returns void
  language plpgsql
as $$
declare
  v_task    bigint;
  v_claimed text;
  v_claim   bigint;
begin
  v_task := (
    select id from enqueue(
      p_queue => p_queue, p_payload => p_payload, p_kind => 'document', p_priority => p_priority,
      p_run_at => least(coalesce(p_last, p_created_at), now()), p_key => p_subject, p_version => p_version));
  perform backdate_tasks(
    array[v_task], array[p_created_at], array[greatest(p_attempts - 1, 0)], array[p_iterations]);
  select key, claim into v_claimed, v_claim
  from claim(p_queue, 1, 'fetchq', interval '1 hour', '{document}', array[null]::text[],
             array[p_version], array[p_version]);
  if v_claimed is distinct from p_subject then
    perform refuse(
      'TK003',
      format('the document %L of %s is active, and the engine starts no task of that queue', p_subject, p_queue),
      'Resume the queue, or lift its limits, and begin again.');
  end if;
  perform backdate_claim(v_claim, p_until);
  if p_last is not null then
    perform note_round(v_task, 0, p_last, null);
  end if;
end;
$$;

-- end_moved() — ends documents that were completed or killed, at the time when they were
--
-- Killed without attempts: by doc_kill(). With attempts: by the last reject, or by maintenance, which leaves no time.

create or replace function end_moved(
  p_tasks bigint[], p_statuses integer[], p_attempts integer[], p_lasts timestamptz[], p_created_ats timestamptz[]
)
  returns void
  language plpgsql
as $$
declare
  v_done bigint[] := array(select p_tasks[i] from generate_subscripts(p_tasks, 1) as i where p_statuses[i] = 3);
  v_dead bigint[] := array(select p_tasks[i] from generate_subscripts(p_tasks, 1) as i where p_statuses[i] = -1);
begin
  if v_done <> '{}' then
    perform end_tasks(v_done, array_fill(null::bigint, array[cardinality(v_done)]), 'done');
  end if;
  if v_dead <> '{}' then
    perform end_tasks(
      v_dead, array_fill(null::bigint, array[cardinality(v_dead)]), 'failed',
      array(select case when p_attempts[i] = 0 then 'killed' when p_lasts[i] is null then 'lost' else 'rejected' end
            from generate_subscripts(p_tasks, 1) as i where p_statuses[i] = -1));
  end if;
  perform backdate_ends(
    p_tasks, array(select coalesce(p_lasts[i], p_created_ats[i]) from generate_subscripts(p_tasks, 1) as i));
end;
$$;
