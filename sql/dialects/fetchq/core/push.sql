-- → queued: documents are stored.

-- push_document() — stores one document; tells whether its subject was new
--
-- Calls store_tasks() and not enqueue(): the arguments and the table that enqueue() answers with
-- cost about a fifth of a push.

create or replace function push_document(
  p_queue queues, p_subject text, p_version integer, p_priority integer, p_next timestamptz, p_payload jsonb
)
  returns integer
  language plpgsql
as $$
declare
  v_next    timestamptz := finite(p_next);
  v_planned boolean     := v_next > now();
  v_task    new_task;
  v_stored  record;
begin
  if (length(p_subject) between 1 and 50 and p_version >= 0 and p_priority is not null and v_planned is not null
      and p_payload is not null) is not true
  then
    if length(p_subject) > 50 then
      raise exception using errcode = 'P0001', message = 'The subject exceeds 50 characters limit';
    end if;
    raise log 'fetchq: nothing was pushed to queue %: subject, version, priority, time and payload are needed',
      p_queue.name;
    return 0;
  end if;

  v_task.queue := p_queue.name;
  v_task.payload := p_payload;
  v_task.kind := 'document';
  v_task.priority := p_priority;
  v_task.key := p_subject;
  v_task.version := p_version;
  -- "Now" is when it is stored, to the microsecond: pick_documents() tells by that that
  -- nothing is noted about it.
  if v_next <> now() then
    v_task.run_at := v_next;
  end if;
  v_stored := store_tasks(array[v_task]);
  -- No outcomes: all were created.
  if v_stored.outcomes is not null then
    return 0;
  end if;

  if v_planned then
    insert into planned (task, queue, run_at) values (v_stored.ids[1], p_queue.name, v_next);
  end if;
  insert into metrics_writes (created_at, queue, metric, increment)
  values (now(), p_queue.name, case when v_planned then '@plan ' else '@push ' end || p_version, 1);
  if is_told(p_queue.config) then
    perform tell(p_queue, case when v_planned then 'pln' else 'pnd' end, p_subject);
  end if;
  return 1;
end;
$$;

-- push_documents() — stores many documents of one version and time; tells how many were new

create or replace function push_documents(
  p_queue queues, p_version integer, p_next timestamptz, p_subjects text[], p_priorities integer[], p_payloads jsonb[]
)
  returns integer
  language plpgsql
as $$
declare
  v_next   timestamptz := finite(p_next);
  v_event  text        := case when finite(p_next) > now() then 'pln' else 'pnd' end;
  v_task   new_task;
  v_tasks  new_task[];
  v_stored record;
  v_new    bigint[];
  v_names  text[];
begin
  v_task.queue := p_queue.name;
  v_task.kind := 'document';
  v_task.version := p_version;
  if v_next <> now() then
    v_task.run_at := v_next;
  end if;
  for i in 1 .. cardinality(p_subjects) loop
    v_task.key := p_subjects[i];
    v_task.priority := p_priorities[i];
    v_task.payload := p_payloads[i];
    v_tasks[i] := v_task;
  end loop;
  v_stored := store_tasks(v_tasks);
  v_new := v_stored.ids;
  v_names := p_subjects;
  -- No outcomes: all were created.
  if v_stored.outcomes is not null then
    select array_agg(made.id), array_agg(p_subjects[made.place])
    into v_new, v_names
    from unnest(v_stored.ids, v_stored.outcomes) with ordinality as made (id, outcome, place)
    where made.outcome = 'created';
    if v_new is null then
      return 0;
    end if;
  end if;

  if v_event = 'pln' then
    insert into planned (task, queue, run_at) select id, p_queue.name, v_next from unnest(v_new) as made (id);
  end if;
  insert into metrics_writes (created_at, queue, metric, increment)
  values (
    now(), p_queue.name, case v_event when 'pln' then '@plan ' else '@push ' end || p_version, cardinality(v_new));
  if is_told(p_queue.config) then
    perform tell(p_queue, v_event, variadic v_names);
  end if;
  return cardinality(v_new);
end;
$$;
