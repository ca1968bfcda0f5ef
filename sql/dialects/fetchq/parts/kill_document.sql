-- kill_document() — gives a document up; null when there is no such queue

create or replace function kill_document(par_queue varchar, par_subject varchar, p_payload jsonb, p_token bigint)
  returns integer
  language plpgsql
as $$
declare
  v_queue   queues;
  v_keeps   boolean;
  v_subject text;
  v_held    record;
begin
  select * into v_queue from queues where name = lower(par_queue);
  if not found then
    raise log 'fetchq: nothing was killed: there is no queue %', par_queue;
    return null;
  end if;
  v_keeps := keeps_quotes(v_queue.config);
  v_subject := unescape(par_subject, v_keeps);
  v_held := hold(v_queue.name, v_subject, p_token);
  if v_held.task is null then
    return 0;
  end if;
  perform kill(v_held.task, v_held.claim);
  if p_payload is not null then
    perform amend(v_held.task, jsonb_build_object('payload', unescape(p_payload, v_keeps)));
  end if;
  perform note_round(v_held.task, 0, now(), v_held.locked_until);
  perform tally(v_queue.name, '{prc,kll,act}', '{1,1,-1}');
  perform tell(v_queue, 'kll', v_subject);
  return 1;
end;
$$;
