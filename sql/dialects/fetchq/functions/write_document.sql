-- write_document() — changes documents as they are changed through <queue>__docs
--
-- What the verbs allow: push, drop, another payload, priority or time, another lock
-- end, and from completed or killed back to pending. Other changes of status are the
-- actions' to make.

create or replace function write_document()
  returns trigger
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues := require_queue(tg_argv[0]);
  v_name  text[] := array['kll', 'pln', 'pnd', 'act', 'cpl'];
  v_task  bigint;
  v_claim bigint;
begin
  if tg_op = 'INSERT' then
    perform push_document(
      v_queue, new.subject, coalesce(new.version, 0), coalesce(new.priority, 0), coalesce(new.next_iteration, now()),
      coalesce(new.payload, '{}'));
    return new;
  end if;

  select document.task, tasks.claim into v_task, v_claim
  from document
  left join tasks on tasks.id = document.task
  where document.queue = v_queue.name and document.subject = old.subject
    and document.task = task_of(v_queue.name, old.subject);
  if not found then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform forget_documents(array[v_task]);
    perform tally(v_queue.name, array['cnt', 'v' || old.version, v_name[old.status + 2]], '{-1,-1,-1}');
    return old;
  end if;

  if new.status = old.status and old.status <> 2 and new.attempts = old.attempts then
    perform revise_document(v_queue, old.subject, new.priority, new.next_iteration, new.payload);
  elsif new.status = 2 and old.status = 2 then
    perform extend(array[v_claim], greatest(new.next_iteration - clock_timestamp(), interval '1 microsecond'));
  elsif old.status in (3, -1) and new.status in (0, 1) then
    perform play_document(v_queue, old.subject, new.next_iteration, new.payload);
  elsif old.status = 0 and new.status = 1 then
    perform revise_document(v_queue, old.subject, new.priority, new.next_iteration, new.payload);
    delete from planned where task = v_task;
    perform tally(v_queue.name, '{pnd,pln}', '{1,-1}');
  else
    perform refuse('TK003', format('document %s cannot go from status %s to %s by hand', old.subject, old.status, new.status),
                   'Use doc_pick() and the actions; completed and killed documents may be set to 1.');
  end if;
  return new;
end;
$$;
