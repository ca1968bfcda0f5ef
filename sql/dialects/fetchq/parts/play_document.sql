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
    (v_was.iterations - (select iteration from tasks where id = v_was.task)
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
