-- require_state() — refuses what a task's state does not allow

create or replace function require_state(p_id bigint, p_allowed boolean, p_verb text, p_state text)
  returns void
  language plpgsql
as $$
declare
  v_state text;
begin
  if p_allowed then
    return;
  end if;
  -- One look: between two it may come back from where the second looks to where the first did.
  v_state := coalesce(
    (select case when claim is null then 'queued' else 'running' end from tasks where id = p_id),
    (select state from finished where id = p_id));
  if v_state is null then
    perform refuse_unknown(p_id);
  end if;
  perform refuse('TK003', format('task %s is %s and cannot be %s', p_id, v_state, p_verb),
                 format('Only a task that is %s can be %s.', p_state, p_verb));
end;
$$;
