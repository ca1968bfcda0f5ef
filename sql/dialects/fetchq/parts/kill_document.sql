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
  v_ended   record;
begin
  select * into v_queue from queues where name = lower(par_queue);
  if not found then
    raise log 'fetchq: nothing was killed: there is no queue %', par_queue;
    return null;
  end if;
  v_keeps := keeps_quotes(v_queue.config);
  v_subject := unescape(par_subject, v_keeps);
  -- As in complete_document().
  v_ended := end_one('failed', null, p_token, v_queue.name, v_subject, p_reason => 'killed');
  if v_ended.id is null then
    v_held := hold(v_queue.name, v_subject, p_token, false);
    v_ended := end_one('failed', v_held.task, v_held.claim, p_reason => 'killed');
    if v_ended.id is null then
      return 0;
    end if;
  end if;
  if p_payload is not null then
    perform amend(v_ended.id, jsonb_build_object('payload', unescape(p_payload, v_keeps)));
  end if;
  perform note_round(v_ended.id, 0, now(), v_ended.expires_at);
  insert into metrics_writes (created_at, queue, metric, increment) values (now(), v_queue.name, '@kill', 1);
  if is_told(v_queue.config) then
    perform tell(v_queue, 'kll', v_subject);
  end if;
  return 1;
end;
$$;
