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
  v_id      bigint;
begin
  par_queue := enter_queue(par_queue);
  select * into v_queue from queues where name = par_queue;
  if not found then
    raise log 'fetchq: nothing was appended: there is no queue %', par_queue;
    return;
  end if;
  v_payload := unescape(par_payload, keeps_quotes(v_queue.config));
  subject := gen_random_uuid();
  -- Nobody has the subject, and it is due now: that is less than a push.
  if par_version >= 0 and par_priority is not null and v_payload is not null then
    v_id := enqueue_plain(
      v_queue.name, v_payload, null, 'document', par_priority, null, subject, p_version => par_version,
      p_is_checked => true, p_is_new_key => true);
  end if;
  if v_id is null then
    if push_document(v_queue, subject, par_version, par_priority, now(), v_payload) = 0 then
      subject := null;
    end if;
    return;
  end if;
  insert into metrics_writes (created_at, queue, metric, increment) values (now(), v_queue.name, '@push ' || par_version, 1);
  if is_told(v_queue.config) then
    perform tell(v_queue, 'pnd', subject);
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
