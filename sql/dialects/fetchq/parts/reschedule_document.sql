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
  v_held    record;
begin
  if v_next is null then
    perform refuse('TK004', 'a document is rescheduled to a point in time', 'Give a time such as now() + interval ''1 day''.');
  end if;
  v_held := hold(v_queue.name, v_subject, p_token);
  if v_held.task is null then
    return 0;
  end if;
  perform reschedule(v_held.task, v_held.claim, v_next, unescape(p_payload, v_keeps));
  perform note_round(v_held.task, 0, now(), null);
  if v_event = 'pln' then
    insert into planned (task, queue, run_at) values (v_held.task, v_queue.name, v_next)
    on conflict (task) do update set run_at = excluded.run_at;
  end if;
  perform tally(v_queue.name, array['prc', 'res', 'act', v_event], '{1,1,-1,1}');
  perform tell(v_queue, v_event, v_subject);
  return 1;
end;
$$;
