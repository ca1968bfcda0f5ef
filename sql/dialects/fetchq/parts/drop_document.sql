-- drop_document() — ends the run of a document by deleting it

create or replace function drop_document(par_queue varchar, par_subject varchar, p_token bigint)
  returns integer
  language plpgsql
as $$
declare
  v_queue queues := require_queue(par_queue);
  v_held  record;
begin
  v_held := hold(v_queue.name, unescape(par_subject, keeps_quotes(v_queue.config)), p_token);
  if v_held.task is null then
    return 0;
  end if;
  perform forget_documents(array[v_held.task]);
  perform tally(v_queue.name, array['prc', 'drp', 'act', 'cnt', 'v' || v_held.version], '{1,1,-1,-1,-1}');
  return 1;
end;
$$;
