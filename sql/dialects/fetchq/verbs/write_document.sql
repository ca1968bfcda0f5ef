-- write_document() — changes documents as they are changed through <queue>__docs
--
-- What the verbs allow: push, drop, another payload, priority or time, other attempts, another lock
-- end, and from completed or killed back to pending. Everything else is refused: other
-- changes of status are the actions' to make.

create or replace function write_document()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue   queues;
  v_name    text[] := array['kll', 'pln', 'pnd', 'act', 'cpl'];
  v_task    bigint;
  v_claim   bigint;
  v_planned boolean;
  v_was     record;
begin
  v_queue.name := enter_queue(tg_argv[0]);
  v_queue := require_queue(v_queue.name);
  if tg_op = 'INSERT' then
    if coalesce(new.status, 1) not in (0, 1) or coalesce(new.attempts, 0) <> 0 or coalesce(new.iterations, 0) <> 0 then
      perform refuse('TK003', 'a document begins without attempts and iterations, planned or pending by its time',
                     'Leave status, attempts and iterations out.');
    end if;
    if push_document(
      v_queue, new.subject, coalesce(new.version, 0), coalesce(new.priority, 0), coalesce(new.next_iteration, now()),
      coalesce(new.payload, '{}')) = 0
    then
      if task_of(v_queue.name, new.subject) is not null then
        perform refuse('TK006', format('the queue %s has a document %L', v_queue.name, new.subject),
                       'Change or drop the existing document.');
      end if;
      perform refuse('TK004', 'a document needs a subject of 1 to 50 characters, and a version from 0',
                     'Name both, or leave the version out.');
    end if;
    return new;
  end if;

  v_task := task_of(v_queue.name, old.subject);
  if tg_op = 'DELETE' then
    -- Whatever it became since it was looked at, it is counted as what it is now.
    perform from live_task where id = v_task for update;
    perform from ended_task where id = v_task for update;
    delete from planned where task = v_task;
    v_planned := found;
    select case when v_planned and status = 1 then 0 else status end as status, version into v_was
    from document where queue = v_queue.name and subject = old.subject and task = v_task;
    if not found then
      return null;
    end if;
    perform forget_documents(array[v_task]);
    perform tally(v_queue.name, array['cnt', 'v' || v_was.version, v_name[v_was.status + 2]], '{-1,-1,-1}');
    return old;
  end if;

  if (new.subject, new.version, new.iterations, new.lock_upgrade, new.created_at, new.last_iteration)
       is distinct from (old.subject, old.version, old.iterations, old.lock_upgrade, old.created_at, old.last_iteration)
     or new.priority is null or new.next_iteration is null or new.payload is null
  then
    perform refuse(
      'TK004',
      format('of document %s only status, priority, attempts, next_iteration and payload can be changed by hand',
             old.subject),
      'None of them can be null.');
  end if;
  if new.attempts is null or new.attempts < 0 then
    perform refuse('TK004', format('document %s cannot have %s attempts', old.subject,
                                   coalesce(new.attempts::text, 'null')), 'Give 0 or more.');
  end if;
  if new.status = old.status and old.status in (0, 1) then
    if revise_document(v_queue, old.subject, new.priority, new.next_iteration, new.payload) = 0 then
      return null;
    end if;
    perform set_attempts(v_task, old.attempts, new.attempts);
  elsif new.status = old.status and old.status <> 2 and new.attempts = old.attempts then
    if revise_document(v_queue, old.subject, new.priority, new.next_iteration, new.payload) = 0 then
      return null;
    end if;
  elsif new.status = 2 and old.status = 2 and new.priority = old.priority then
    select claim into v_claim from live_task where id = v_task and claim is not null for no key update;
    if not found then
      return null;
    end if;
    perform set_attempts(v_task, old.attempts, new.attempts);
    if new.payload <> old.payload then
      perform amend(v_task, jsonb_build_object('payload', new.payload));
    end if;
    if new.next_iteration <> old.next_iteration then
      perform extend(
        array[v_claim], greatest(finite(new.next_iteration) - clock_timestamp(), interval '1 microsecond'));
    end if;
  elsif old.status in (3, -1) and new.status in (0, 1) then
    if play_document(v_queue, old.subject, new.next_iteration, new.payload) = 0 then
      return null;
    end if;
    if new.priority <> old.priority then
      perform revise_document(v_queue, old.subject, new.priority, new.next_iteration, new.payload);
    end if;
  elsif old.status = 0 and new.status = 1 then
    if revise_document(v_queue, old.subject, new.priority, new.next_iteration, new.payload) = 0 then
      return null;
    end if;
    perform set_attempts(v_task, old.attempts, new.attempts);
    perform promote(v_queue.name, v_task);
  else
    perform refuse('TK003', format('document %s cannot go from status %s after %s attempts to %s after %s by hand',
                                   old.subject, old.status, old.attempts, new.status, new.attempts),
                   'Use doc_pick() and the actions; completed and killed documents may be set to 1.');
  end if;
  return new;
end;
$$;

-- set_attempts() — how often a document that lives was picked since its last success, set by hand

create or replace function set_attempts(p_task bigint, p_old integer, p_new integer)
  returns void
  language plpgsql
as $$
begin
  if p_new <> p_old then
    perform backdate_tasks(array[p_task], null, array[p_new], null);
  end if;
end;
$$;

-- write_book() — keeps a line that is inserted through <queue>__logs or <queue>__metrics
--
-- The id is ours to give; what else is left out has the default of the original.

create or replace function write_book()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues;
begin
  v_queue.name := enter_queue(tg_argv[0]);
  v_queue := require_queue(v_queue.name);
  if tg_argv[1] = 'logs' then
    insert into doc_logs (queue, created_at, subject, message, details, ref_id)
    values (v_queue.name, coalesce(new.created_at, now()), new.subject, new.message, new.details, new.ref_id)
    returning id, created_at into new.id, new.created_at;
  else
    insert into doc_metrics (queue, created_at, metric, value)
    values (v_queue.name, coalesce(new.created_at, now()), new.metric, new.value)
    returning id, created_at into new.id, new.created_at;
  end if;
  return new;
end;
$$;
