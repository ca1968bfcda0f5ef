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
    perform refuse('TK004', 'a document is rescheduled to a point in time', 'Give a time such as now() + interval ''1 day''.');
  end if;
  -- As in complete_document().
  v_task := reschedule_one(null, p_token, v_next, v_payload, v_queue.name, v_subject);
  if v_task is null then
    v_held := hold(v_queue.name, v_subject, p_token, false);
    v_task := reschedule_one(v_held.task, v_held.claim, v_next, v_payload);
    if v_task is null then
      return 0;
    end if;
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
