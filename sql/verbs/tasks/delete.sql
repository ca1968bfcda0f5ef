-- delete(): any → gone
--
-- With its output, its attempts and its key. One that runs loses its lease, as
-- if it had been cancelled.

create or replace function delete(p_id bigint)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_before jsonb := describe_for_audit('task', p_id::text);
  v_claim bigint;
  v_queue text;
  v_key   text;
begin
  perform require_tasks('operate', array[p_id]);
  perform split_packs(array[p_id]);
  perform cancel_tasks(find_children(array[p_id]));
  loop
    select claim into v_claim from tasks where id = p_id for no key update;
    if found then
      perform notify_cancelled(array[p_id], array[v_claim]);
      perform end_tasks(array[p_id], array[v_claim], null);
      exit;
    end if;
    delete from finished where id = p_id returning queue, key into v_queue, v_key;
    if found then
      perform free_keys(array[p_id], array[v_queue], array[v_key], null, clock_timestamp());
      perform record_events('delete', array[p_id], array[v_queue]);
      exit;
    end if;
    -- It may have been retried between the two looks.
    if not exists (select from tasks where id = p_id) then
      perform refuse_unknown(p_id);
    end if;
  end loop;
  perform delete_traces(array[p_id]);
  perform audit_change('delete', 'task', p_id::text, v_before);
end;
$$;
