-- doc_push() — Fetchq's word for enqueue: 1 for a new subject, 0 for one that is taken
--
-- A subject stays taken when its document is completed or killed, until it is dropped.

create or replace function doc_push(
  par_queue         varchar,
  par_subject       varchar,
  par_version       integer,
  par_priority      integer,
  par_nextiteration timestamptz,
  par_payload       jsonb,
  out queued_docs   integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues;
  v_keeps boolean;
begin
  par_queue := enter_queue(par_queue);
  select * into v_queue from queues where name = par_queue;
  if not found then
    raise log 'fetchq: nothing was pushed: there is no queue %', par_queue;
    queued_docs := 0;
    return;
  end if;
  v_keeps := keeps_quotes(v_queue.config);
  queued_docs := push_document(
    v_queue, unescape(par_subject, v_keeps), par_version, par_priority, par_nextiteration,
    unescape(par_payload, v_keeps));
end;
$$;

create or replace function doc_push(par_queue varchar, par_subject varchar, out queued_docs integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  queued_docs := doc_push(par_queue, par_subject, 0, 0, now(), '{}'::jsonb);
end;
$$;

create or replace function doc_push(par_queue varchar, par_subject varchar, par_payload jsonb, out queued_docs integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  queued_docs := doc_push(par_queue, par_subject, 0, 0, now(), par_payload);
end;
$$;

create or replace function doc_push(
  par_queue varchar, par_subject varchar, par_payload jsonb, par_nextiteration timestamptz, out queued_docs integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  queued_docs := doc_push(par_queue, par_subject, 0, 0, par_nextiteration, par_payload);
end;
$$;

-- Many at once, from the text that read_values() describes.
create or replace function doc_push(
  par_queue varchar, par_version integer, par_nextiteration timestamptz, par_data varchar, out queued_docs integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues;
  v_given record;
begin
  queued_docs := 0;
  par_queue := enter_queue(par_queue);
  select * into v_queue from queues where name = par_queue;
  if not found or par_version is null or par_version < 0 or par_nextiteration is null then
    raise log 'fetchq: nothing was pushed: there is no queue %, or version and time are missing', par_queue;
    return;
  end if;
  begin
    v_given := read_values(par_data);
  exception when data_exception or sqlstate 'TK004' then
    raise log 'fetchq: nothing was pushed to queue %: %', par_queue, sqlerrm;
    return;
  end;
  if v_given.subjects is null
     or exists (select from unnest(v_given.subjects) as s where length(s) not between 1 and 50)
  then
    raise log 'fetchq: nothing was pushed to queue %: a subject has 1 to 50 characters', par_queue;
    return;
  end if;
  queued_docs := push_documents(
    v_queue, par_version, par_nextiteration, v_given.subjects, v_given.priorities, v_given.payloads);
end;
$$;
