-- find_documents() — the ids of the documents of a queue whose payload contains this JSON, the newest first
--
--   select * from task where id = any (array(select find_documents('orders', '{"customer": 7}')));
--
-- The payload of a document that is done is the output it was completed with, if it has one.
-- Without an index (create_document_index()) it reads all documents of the queue.

create or replace function find_documents(p_queue text, p_contains jsonb, p_limit integer default 100)
  returns setof bigint
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
begin
  perform check_queue(p_queue);
  if has_grants() then
    perform require_queues('operate', array[p_queue]);
  end if;
  if jsonb_typeof(p_contains) is distinct from 'object' or coalesce(p_limit, 0) < 1 then
    perform refuse('TK004', 'find_documents() needs an object to look for, and a limit of 1 or more',
                   'Call it like find_documents(''orders'', ''{"customer": 7}'').');
  end if;
  -- Verbs are planned without bitmap scans (pin_plan_settings()), and this index knows no others. The name of the
  -- queue is part of the text, or the index would not be considered.
  perform set_config('enable_bitmapscan', 'on', true);
  return query execute format(
    'select id from (
       select id from tasks where queue = %1$L and kind = ''document'' and payload @> $1
       union all
       select id from finished
       where queue = %1$L and kind = ''document''
         and (case when kind = ''document'' and state = ''done'' then coalesce(output, payload) else payload end) @> $1
     ) as found
     order by id desc
     limit $2', p_queue) using p_contains, p_limit;
end;
$$;
