-- write_log() — keeps a line with a document, cut to what a line holds

create or replace function write_log(p_queue queues, p_subject text, p_message text, p_details jsonb, p_ref text)
  returns void
  language sql
as $$
  insert into doc_logs (queue, subject, message, details, ref_id)
  values (p_queue.name, left(p_subject, 50), left(coalesce(p_message, ''), 255), p_details, p_ref);
$$;
