-- reject_document() — hands a document back: again when its lock would have ended, or never

create or replace function reject_document(
  par_queue varchar, par_subject varchar, p_message varchar, p_details jsonb, p_ref varchar, p_token bigint
)
  returns integer
  language plpgsql
as $$
declare
  v_queue   queues  := require_queue(par_queue);
  v_keeps   boolean := keeps_quotes(v_queue.config);
  v_subject text    := unescape(par_subject, v_keeps);
  v_held    record;
  v_state   text;
begin
  v_held := hold(v_queue.name, v_subject, p_token, false);
  -- Again when its lock would have ended: next_iteration stays as it was.
  v_state := reject_one(
    v_held.task, v_held.claim,
    jsonb_strip_nulls(jsonb_build_object(
      'message', unescape(p_message, v_keeps), 'details', unescape(p_details, v_keeps), 'ref_id', unescape(p_ref, v_keeps))),
    v_held.locked_until);
  if v_state is null then
    return 0;
  end if;
  perform note_round(v_held.task, 1, now(), case v_state when 'failed' then v_held.locked_until end);
  perform write_log(v_queue, v_subject, unescape(p_message, v_keeps), unescape(p_details, v_keeps), unescape(p_ref, v_keeps));
  insert into metrics_writes (created_at, queue, metric, increment)
  values (now(), v_queue.name, case v_state when 'failed' then '@spend' else '@reject' end, 1);
  if is_told(v_queue.config) then
    perform tell(v_queue, case v_state when 'failed' then 'kll' else 'pnd' end, v_subject);
  end if;
  return 1;
end;
$$;
