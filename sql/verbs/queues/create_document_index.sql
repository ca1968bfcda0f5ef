-- create_document_index() — lets find_documents(), and conditions `payload @> …`, find documents of a queue by an index
--
--   select create_document_index('orders');
--
-- False when there is one. Building it takes a lock that keeps every queue from writing
-- tasks, for about a second per million rows: do it while little runs. It makes each write of a
-- document of this queue dearer, and no other.

create or replace function create_document_index(p_queue text)
  returns boolean
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_name text := document_index_name(p_queue);
begin
  perform check_queue(p_queue);
  if to_regclass(quote_ident(current_schema()) || '.' || v_name) is not null then
    return false;
  end if;
  -- The expressions are those of find_documents(), and of views of dialects.
  execute format(
    'create index %s on tasks using gin (payload jsonb_path_ops) where queue = %L and kind = ''document''',
    v_name, p_queue);
  execute format(
    'create index %s_ended on finished using gin ((case when kind = ''document'' and state = ''done'' then
       coalesce(output, payload) else payload end) jsonb_path_ops) where queue = %L and kind = ''document''',
    v_name, p_queue);
  perform audit_action('create_document_index', 'queue ' || p_queue, null, null);
  return true;
end;
$$;
