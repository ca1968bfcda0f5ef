-- push_document() — stores one document; tells whether its subject was new

create or replace function push_document(
  p_queue queues, p_subject text, p_version integer, p_priority integer, p_next timestamptz, p_payload jsonb
)
  returns integer
  language plpgsql
as $$
declare
  v_next  timestamptz := finite(p_next);
  v_id    bigint;
  v_event text;
begin
  if length(p_subject) > 50 then
    raise exception using errcode = 'P0001', message = 'The subject exceeds 50 characters limit';
  end if;
  if coalesce(p_subject, '') = '' or p_version is null or p_version < 0 or p_priority is null or v_next is null
     or p_payload is null then
    raise log 'fetchq: nothing was pushed to queue %: subject, version, priority, time and payload are needed', p_queue.name;
    return 0;
  end if;

  -- "Now" is when it is stored, to the microsecond: pick_documents() tells by that that
  -- nothing is noted about it.
  v_id := enqueue_plain(
    p_queue.name, p_payload, null, 'document', p_priority, nullif(v_next, now()), p_subject, p_version => p_version);
  if v_id is null then
    select made.id into v_id
    from enqueue(
      p_queue => p_queue.name, p_payload => p_payload, p_kind => 'document', p_priority => p_priority,
      p_run_at => nullif(v_next, now()), p_key => p_subject, p_version => p_version) as made
    where made.outcome = 'created';
    if not found then
      return 0;
    end if;
  end if;

  if v_next > now() then
    insert into planned (task, queue, run_at) values (v_id, p_queue.name, v_next);
  end if;
  v_event := case when v_next > now() then 'pln' else 'pnd' end;
  insert into metrics_writes (created_at, queue, metric, increment)
  values (now(), p_queue.name, 'ent', 1), (now(), p_queue.name, 'cnt', 1), (now(), p_queue.name, 'v' || p_version, 1),
         (now(), p_queue.name, v_event, 1);
  if is_told(p_queue.config) then
    perform tell(p_queue, v_event, p_subject);
  end if;
  return 1;
end;
$$;
