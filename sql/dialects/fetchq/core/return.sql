-- running → queued, and documents that are changed where they are.

-- reject_document() — hands a document back: again when its lock would have ended, or never

create or replace function reject_document(
  par_queue varchar, par_subject varchar, p_message varchar, p_details jsonb, p_ref varchar, p_token bigint
)
  returns integer
  language plpgsql
as $$
declare
  v_queue   queues  := require_queue(par_queue);
  v_keeps   boolean := keeps_quotes(v_queue.config);
  v_subject text    := unescape(par_subject, v_keeps);
  v_held    record;
  v_state   text;
begin
  v_held := hold(v_queue.name, v_subject, p_token, false);
  -- Again when its lock would have ended: next_iteration stays as it was.
  v_state := reject_one(
    v_held.task, v_held.claim,
    jsonb_strip_nulls(jsonb_build_object(
      'message', unescape(p_message, v_keeps), 'details', unescape(p_details, v_keeps),
      'ref_id', unescape(p_ref, v_keeps))),
    v_held.locked_until);
  if v_state is null then
    return 0;
  end if;
  perform note_round(v_held.task, 1, now(), case v_state when 'failed' then v_held.locked_until end);
  perform write_log(
    v_queue, v_subject, unescape(p_message, v_keeps), unescape(p_details, v_keeps), unescape(p_ref, v_keeps));
  insert into metrics_writes (created_at, queue, metric, increment)
  values (now(), v_queue.name, case v_state when 'failed' then '@spend' else '@reject' end, 1);
  if is_told(v_queue.config) then
    perform tell(v_queue, case v_state when 'failed' then 'kll' else 'pnd' end, v_subject);
  end if;
  return 1;
end;
$$;

-- reschedule_document() — sends a document into another round

create or replace function reschedule_document(
  par_queue varchar, par_subject varchar, p_next timestamptz, p_payload jsonb, p_token bigint
)
  returns integer
  language plpgsql
as $$
declare
  v_queue   queues      := require_queue(par_queue);
  v_keeps   boolean     := keeps_quotes(v_queue.config);
  v_subject text        := unescape(par_subject, v_keeps);
  v_next    timestamptz := finite(p_next);
  v_event   text        := case when finite(p_next) > now() then 'pln' else 'pnd' end;
  v_payload jsonb       := unescape(p_payload, v_keeps);
  v_held    record;
  v_task    bigint;
begin
  if v_next is null then
    perform refuse('TK004', 'rescheduling a document needs a time',
                   'Give a time such as now() + interval ''1 day''.');
  end if;
  v_held := hold(v_queue.name, v_subject, p_token, false);
  v_task := reschedule_one(v_held.task, v_held.claim, v_next, v_payload);
  if v_task is null then
    return 0;
  end if;
  perform note_round(v_task, 0, now(), null);
  if v_event = 'pln' then
    insert into planned (task, queue, run_at) values (v_task, v_queue.name, v_next)
    on conflict (task) do update set run_at = excluded.run_at;
  end if;
  insert into metrics_writes (created_at, queue, metric, increment)
  values (now(), v_queue.name, case v_event when 'pln' then '@later' else '@again' end, 1);
  if is_told(v_queue.config) then
    perform tell(v_queue, v_event, v_subject);
  end if;
  return 1;
end;
$$;

-- play_document() — completed | killed → pending | planned, with all its attempts

create or replace function play_document(p_queue queues, p_subject text, p_next timestamptz, p_payload jsonb)
  returns integer
  language plpgsql
as $$
declare
  v_next   timestamptz := coalesce(finite(p_next), now());
  v_event  text        := case when finite(p_next) > now() then 'pln' else 'pnd' end;
  v_was    document;
begin
  select * into v_was from document
  where queue = p_queue.name and subject = p_subject and task = task_of(p_queue.name, p_subject);
  if not found or v_was.status not in (3, -1) then
    return 0;
  end if;
  begin
    perform retry(v_was.task, v_next, coalesce(p_payload, v_was.payload));
  exception when sqlstate 'TK003' or sqlstate 'TK002' then
    return 0; -- Brought back or dropped at this very moment.
  end;
  perform note_round(
    v_was.task,
    -- What the end counted is not counted by the engine any more.
    (v_was.iterations - (select iteration from live_task where id = v_was.task)
      - coalesce((select rejects from rounds where task = v_was.task), 0))::integer,
    v_was.last_iteration, null);
  if v_event = 'pln' then
    insert into planned (task, queue, run_at) values (v_was.task, p_queue.name, v_next)
    on conflict (task) do update set run_at = excluded.run_at;
  end if;
  perform tally(p_queue.name, array[case v_was.status when 3 then 'cpl' else 'kll' end, v_event], '{-1,1}');
  perform tell(p_queue, v_event, p_subject);
  return 1;
end;
$$;

-- revise_document() — changes a document that is not active; tells whether it did

create or replace function revise_document(
  p_queue queues, p_subject text, p_priority integer, p_next timestamptz, p_payload jsonb
)
  returns integer
  language plpgsql
as $$
declare
  v_next    timestamptz := finite(p_next);
  v_changes jsonb       := jsonb_build_object('run_at', v_next);
  v_task    bigint;
  v_status  integer;
begin
  if p_priority is not null then
    v_changes := v_changes || jsonb_build_object('priority', p_priority);
  end if;
  if p_payload is not null then
    v_changes := v_changes || jsonb_build_object('payload', p_payload);
  end if;
  -- Nearly always it waits, and does so until it is changed. Of one that has ended, every
  -- day of history is asked.
  select live_task.id, case when live_task.claim is not null then 2 when planned.task is not null then 0 else 1 end
  into v_task, v_status
  from task_key
  join live_task on live_task.id = any (array[task_key.task])
  left join planned on planned.task = any (array[live_task.id])
  where task_key.queue = p_queue.name and task_key.key = p_subject and live_task.kind = 'document'
  for no key update of live_task;
  if v_status in (0, 1) then
    perform amend(v_task, v_changes);
  elsif v_status = 2 then
    return 0;
  else
    select task, status into v_task, v_status from document
    where queue = p_queue.name and subject = p_subject and task = task_of(p_queue.name, p_subject);
    if not found or v_status = 2 then
      return 0;
    end if;
    begin
      perform amend(v_task, v_changes);
    exception when sqlstate 'TK003' or sqlstate 'TK002' then
      return 0; -- Picked or dropped at this very moment.
    end;
    if exists (select from live_task where id = v_task) then
      v_status := 1; -- Brought back at this very moment.
    end if;
  end if;

  if v_status in (0, 1) then
    -- Asked again: it may have been planned while its row was waited for.
    update planned set run_at = v_next where task = v_task;
    v_status := case when found then 0 else 1 end;
  else
    if v_status = 3 and p_payload is not null then
      -- What it was completed with is what it was; see complete_document().
      perform discard_output(v_task);
    end if;
    insert into rounds (task, next_iteration) values (v_task, v_next)
    on conflict (task) do update set next_iteration = excluded.next_iteration;
  end if;
  if is_told(p_queue.config) then
    perform tell(
      p_queue, case v_status when 0 then 'pln' when 1 then 'pnd' when 3 then 'cpl' else 'kll' end, p_subject);
  end if;
  return 1;
end;
$$;
