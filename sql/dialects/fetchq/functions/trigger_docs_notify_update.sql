-- trigger_docs_notify_update() — tells of a changed row of a table of documents that a user keeps

create or replace function trigger_docs_notify_update()
  returns trigger
  language plpgsql
as $$
declare
  c_events constant text[] := array['kll', 'pln', 'pnd', 'act', 'cpl'];
begin
  perform pg_notify('fetchq__' || replace(tg_table_name, '__docs', '__' || c_events[new.status + 2]), new.subject);
  return new;
end;
$$;
