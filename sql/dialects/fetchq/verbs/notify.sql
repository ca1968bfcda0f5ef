-- Triggers that notify.

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

-- trigger_notify_as_json() — tells every change of a row on fetchq_on_change

create or replace function trigger_notify_as_json()
  returns trigger
  language plpgsql
as $$
begin
  perform pg_notify('fetchq_on_change', json_build_object(
    'timestamp', now(),
    'operation', tg_op,
    'schema', tg_table_schema,
    'table', tg_table_name,
    'new_data', case when tg_op <> 'DELETE' then row_to_json(new) end,
    'old_data', case when tg_op <> 'INSERT' then row_to_json(old) end)::text);
  return coalesce(new, old);
end;
$$;
