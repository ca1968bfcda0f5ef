-- trigger_docs_notify_insert() — tells of a new row of a table of documents that a user keeps
--
-- Queues of this dialect notify by themselves; see queue_enable_notify().

create or replace function trigger_docs_notify_insert()
  returns trigger
  language plpgsql
as $$
begin
  perform pg_notify(
    'fetchq__' || replace(tg_table_name, '__docs', case when new.next_iteration > now() then '__pln' else '__pnd' end),
    new.subject);
  return new;
end;
$$;
