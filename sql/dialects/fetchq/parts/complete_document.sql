-- complete_document() — ends the run of a document for good; null when there is no such queue
--
-- A payload that comes along is what the document became: the engine keeps it as the
-- task's output.

create or replace function complete_document(par_queue varchar, par_subject varchar, p_payload jsonb, p_token bigint)
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
    raise log 'fetchq: nothing was completed: there is no queue %', par_queue;
    return null;
  end if;
  v_keeps := keeps_quotes(v_queue.config);
  v_subject := unescape(par_subject, v_keeps);
  v_held := hold(v_queue.name, v_subject, p_token, false);
  if v_held.task is null or not complete_one(v_held.task, v_held.claim, unescape(p_payload, v_keeps)) then
    return 0;
  end if;
  insert into metrics_writes (created_at, queue, metric, increment)
  values (now(), v_queue.name, 'prc', 1), (now(), v_queue.name, 'cpl', 1), (now(), v_queue.name, 'act', -1);
  if is_told(v_queue.config) then
    perform tell(v_queue, 'cpl', v_subject);
  end if;
  return 1;
end;
$$;
