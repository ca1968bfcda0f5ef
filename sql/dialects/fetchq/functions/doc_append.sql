-- doc_append() — a document with a subject made up for it, which is the answer

create or replace function doc_append(
  par_queue varchar, par_payload jsonb, par_version integer, par_priority integer, out subject varchar
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues;
begin
  select * into v_queue from queues where name = lower(par_queue);
  if not found then
    raise log 'fetchq: nothing was appended: there is no queue %', par_queue;
    return;
  end if;
  subject := gen_random_uuid();
  if push_document(
    v_queue, subject, par_version, par_priority, now(), unescape(par_payload, keeps_quotes(v_queue.config))) = 0
  then
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
