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
