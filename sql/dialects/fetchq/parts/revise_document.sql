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
  select tasks.id, case when tasks.claim is not null then 2 when planned.task is not null then 0 else 1 end
  into v_task, v_status
  from keys
  join tasks on tasks.id = any (array[keys.task])
  left join planned on planned.task = any (array[tasks.id])
  where keys.queue = p_queue.name and keys.key = p_subject and tasks.kind = 'document'
  for no key update of tasks;
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
    if exists (select from tasks where id = v_task) then
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
      update finished set output = null where id = v_task and output is not null;
    end if;
    insert into rounds (task, next_iteration) values (v_task, v_next)
    on conflict (task) do update set next_iteration = excluded.next_iteration;
  end if;
  if is_told(p_queue.config) then
    perform tell(p_queue, case v_status when 0 then 'pln' when 1 then 'pnd' when 3 then 'cpl' else 'kll' end, p_subject);
  end if;
  return 1;
end;
$$;
