-- drop_document() — ends the run of a document by deleting it

create or replace function drop_document(par_queue varchar, par_subject varchar, p_token bigint)
  returns integer
  language plpgsql
as $$
declare
  v_queue   queues := require_queue(par_queue);
  v_subject text   := unescape(par_subject, keeps_quotes(v_queue.config));
  v_held    record;
  v_ended   record;
begin
  -- As in complete_document().
  v_ended := end_one(null, null, p_token, v_queue.name, v_subject);
  if v_ended.id is null then
    v_held := hold(v_queue.name, v_subject, p_token, false);
    v_ended := end_one(null, v_held.task, v_held.claim);
    if v_ended.id is null then
      return 0;
    end if;
  end if;
  delete from planned where task = v_ended.id;
  delete from rounds where task = v_ended.id;
  insert into metrics_writes (created_at, queue, metric, increment)
  values (now(), v_queue.name, '@drop ' || v_ended.version, 1);
  return 1;
end;
$$;
