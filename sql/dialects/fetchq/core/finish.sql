-- running → done | failed | gone.

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
begin
  select name, is_told(config) as is_told, keeps_quotes(config) as keeps_quotes into v_queue
  from queues where name = lower(par_queue);
  if not found then
    raise log 'fetchq: nothing was completed: there is no queue %', par_queue;
    return null;
  end if;
  v_subject := unescape(par_subject, v_queue.keeps_quotes);
  v_payload := unescape(p_payload, v_queue.keeps_quotes);
  v_held := hold(v_queue.name, v_subject, p_token, false);
  if v_held.task is null or end_tasks(
    array[v_held.task], array[v_held.claim], 'done', p_outputs => array[v_payload], p_right => 'consume') = '{}'
  then
    return 0;
  end if;
  insert into metrics_writes (created_at, queue, metric, increment) values (now(), v_queue.name, '@complete', 1);
  if v_queue.is_told then
    perform tell(queues, 'cpl', v_subject) from queues where name = v_queue.name;
  end if;
  return 1;
end;
$$;

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
  v_held := hold(v_queue.name, v_subject, p_token, false);
  if v_held.task is null or end_tasks(
    array[v_held.task], array[v_held.claim], 'failed', array['killed'],
    p_right => 'consume', p_records_attempt => true) = '{}'
  then
    return 0;
  end if;
  if p_payload is not null then
    perform amend(v_held.task, jsonb_build_object('payload', unescape(p_payload, v_keeps)));
  end if;
  perform note_round(v_held.task, 0, now(), v_held.locked_until);
  insert into metrics_writes (created_at, queue, metric, increment) values (now(), v_queue.name, '@kill', 1);
  if is_told(v_queue.config) then
    perform tell(v_queue, 'kll', v_subject);
  end if;
  return 1;
end;
$$;

-- drop_document() — ends the run of a document by deleting it

create or replace function drop_document(par_queue varchar, par_subject varchar, p_token bigint)
  returns integer
  language plpgsql
as $$
declare
  v_queue   queues := require_queue(par_queue);
  v_subject text   := unescape(par_subject, keeps_quotes(v_queue.config));
  v_held    record;
begin
  v_held := hold(v_queue.name, v_subject, p_token, false);
  if v_held.task is null or end_tasks(array[v_held.task], array[v_held.claim], null, p_right => 'consume') = '{}' then
    return 0;
  end if;
  delete from planned where task = v_held.task;
  delete from rounds where task = v_held.task;
  insert into metrics_writes (created_at, queue, metric, increment)
  values (now(), v_queue.name, '@drop ' || v_held.version, 1);
  return 1;
end;
$$;
