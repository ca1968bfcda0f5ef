-- empty_queue() — deletes all documents of a queue, in portions

create or replace function empty_queue(p_queue varchar)
  returns void
  language plpgsql
as $$
declare
  c_portion constant integer := 10000;
  v_tasks   bigint[] := array(select task from document where queue = p_queue);
begin
  for v_from in 1..cardinality(v_tasks) by c_portion loop
    perform forget_documents(v_tasks[v_from:v_from + c_portion - 1]);
  end loop;
end;
$$;
