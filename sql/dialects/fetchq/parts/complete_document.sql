-- complete_document() — ends the run of a document for good; null when there is no such queue
--
-- A payload that comes along is what the document became: the engine keeps it as the
-- task's output.

create or replace function complete_document(par_queue varchar, par_subject varchar, p_payload jsonb, p_token bigint)
  returns integer
  language plpgsql
as $$
declare
  v_queue   record;
  v_subject text;
  v_payload jsonb;
  v_held    record;
  v_ended   record;
begin
  select name, is_told(config) as is_told, keeps_quotes(config) as keeps_quotes into v_queue
  from queues where name = lower(par_queue);
  if not found then
    raise log 'fetchq: nothing was completed: there is no queue %', par_queue;
    return null;
  end if;
  v_subject := unescape(par_subject, v_queue.keeps_quotes);
  v_payload := unescape(p_payload, v_queue.keeps_quotes);
  -- Nearly always nobody ever lost it, or the token is right. Who may end it otherwise, hold() knows.
  v_ended := end_one('done', null, p_token, v_queue.name, v_subject, v_payload);
  if v_ended.id is null then
    v_held := hold(v_queue.name, v_subject, p_token, false);
    v_ended := end_one('done', v_held.task, v_held.claim, p_output => v_payload);
    if v_ended.id is null then
      return 0;
    end if;
  end if;
  insert into metrics_writes (created_at, queue, metric, increment) values (now(), v_queue.name, '@complete', 1);
  if v_queue.is_told then
    perform tell(queues, 'cpl', v_subject) from queues where name = v_queue.name;
  end if;
  return 1;
end;
$$;
