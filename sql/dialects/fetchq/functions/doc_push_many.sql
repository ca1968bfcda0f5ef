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
  perform refuse('TK004', format('the documents cannot be read: %s', sqlerrm),
                 'Write [{"subject": "a", "payload": {}, "priority": 0, "version": 0, "next_iteration": "2030-01-01 09:00+00"}].');
end;
$$;
