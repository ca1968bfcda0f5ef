-- drop_document_index() — takes the index away again; false when there is none

create or replace function drop_document_index(p_queue text)
  returns boolean
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_name text := document_index_name(p_queue);
begin
  perform check_queue(p_queue);
  if to_regclass(quote_ident(current_schema()) || '.' || v_name) is null then
    return false;
  end if;
  execute format('drop index %s, %1$s_ended', v_name);
  perform audit_action('drop_document_index', 'queue ' || p_queue, null, null);
  return true;
end;
$$;
