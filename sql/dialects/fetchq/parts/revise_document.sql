-- revise_document() — changes a document that is not active; tells whether it did

create or replace function revise_document(
  p_queue queues, p_subject text, p_priority integer, p_next timestamptz, p_payload jsonb
)
  returns integer
  language plpgsql
as $$
declare
  v_next   timestamptz := finite(p_next);
  v_task   bigint;
  v_status integer;
begin
  select task, status into v_task, v_status from document
  where queue = p_queue.name and subject = p_subject and task = task_of(p_queue.name, p_subject);
  if not found or v_status = 2 then
    return 0;
  end if;
  begin
    perform amend(
      v_task,
      jsonb_build_object('run_at', v_next)
        || case when p_payload is null then '{}' else jsonb_build_object('payload', p_payload) end
        || case when p_priority is null then '{}' else jsonb_build_object('priority', p_priority) end);
  exception when sqlstate 'TK003' or sqlstate 'TK002' then
    return 0; -- Picked or dropped at this very moment.
  end;

  if v_status = 3 and p_payload is not null then
    -- What it was completed with is what it was; see complete_document().
    update finished set output = null where id = v_task and output is not null;
  end if;
  if v_status = 0 then
    update planned set run_at = v_next where task = v_task;
  elsif v_status in (3, -1) then
    insert into rounds (task, next_iteration) values (v_task, v_next)
    on conflict (task) do update set next_iteration = excluded.next_iteration;
  end if;
  perform tell(p_queue, case v_status when 0 then 'pln' when 1 then 'pnd' when 3 then 'cpl' else 'kll' end, p_subject);
  return 1;
end;
$$;
