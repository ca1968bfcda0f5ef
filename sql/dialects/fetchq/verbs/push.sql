-- Documents: append, push and upsert.

-- doc_append() — a document with a subject made up for it, which is the answer

create or replace function doc_append(
  par_queue varchar, par_payload jsonb, par_version integer, par_priority integer, out subject varchar
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue   queues;
  v_payload jsonb;
begin
  par_queue := enter_queue(par_queue);
  select * into v_queue from queues where name = par_queue;
  if not found then
    raise log 'fetchq: nothing was appended: there is no queue %', par_queue;
    return;
  end if;
  v_payload := unescape(par_payload, keeps_quotes(v_queue.config));
  subject := gen_random_uuid();
  if push_document(v_queue, subject, par_version, par_priority, now(), v_payload) = 0 then
    subject := null;
  end if;
end;
$$;

create or replace function doc_append(par_queue varchar, par_payload jsonb, out subject varchar)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  subject := doc_append(par_queue, par_payload, 0, 0);
end;
$$;

-- doc_push_many() — many documents as JSON, with what became of each
--
--   select * from doc_push_many('orders', '[{"subject": "a", "payload": {"n": 1}, "priority": 5}]');
--
-- Not in the original: its bulk push takes a piece of SQL.

create or replace function doc_push_many(par_queue varchar, par_docs jsonb)
  returns table (subject varchar, was_queued boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues;
  v_doc   record;
begin
  par_queue := enter_queue(par_queue);
  v_queue := require_queue(par_queue);
  if jsonb_typeof(par_docs) is distinct from 'array' then
    perform refuse('TK004', 'doc_push_many needs an array of documents', 'Write [{"subject": "a", "payload": {}}].');
  end if;
  for v_doc in
    select *
    from jsonb_to_recordset(par_docs) as given (
      subject text, payload jsonb, priority integer, version integer, next_iteration timestamptz)
  loop
    subject := coalesce(v_doc.subject, gen_random_uuid()::text);
    was_queued := 1 = push_document(
      v_queue, subject, coalesce(v_doc.version, 0), coalesce(v_doc.priority, 0),
      coalesce(v_doc.next_iteration, now()), coalesce(v_doc.payload, '{}'));
    return next;
  end loop;
exception when data_exception then
  perform refuse(
    'TK004', format('the documents are invalid: %s', sqlerrm),
    'Write [{"subject": "a", "payload": {}, "priority": 0, "version": 0, '
    '"next_iteration": "2030-01-01 09:00+00"}].');
end;
$$;

-- doc_upsert() — pushes, or else changes priority, payload and time of what is there
--
-- Neither status nor version change, and an active document stays as it is.

create or replace function doc_upsert(
  par_queue         varchar,
  par_subject       varchar,
  par_version       integer,
  par_priority      integer,
  par_nextiteration timestamptz,
  par_payload       jsonb,
  out queued_docs   integer,
  out updated_docs  integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue   queues;
  v_subject text;
  v_payload jsonb;
begin
  queued_docs := 0;
  updated_docs := 0;
  par_queue := enter_queue(par_queue);
  select * into v_queue from queues where name = par_queue;
  v_subject := unescape(par_subject, keeps_quotes(v_queue.config));
  if v_queue.id is null or length(v_subject) > 50 then
    raise log 'fetchq: nothing was upserted: there is no queue %, or the subject exceeds 50 characters', par_queue;
    return;
  end if;
  v_payload := unescape(par_payload, keeps_quotes(v_queue.config));
  queued_docs := push_document(v_queue, v_subject, par_version, par_priority, par_nextiteration, v_payload);
  if queued_docs = 0 and par_priority is not null and par_nextiteration is not null and v_payload is not null then
    updated_docs := revise_document(v_queue, v_subject, par_priority, par_nextiteration, v_payload);
  end if;
end;
$$;
