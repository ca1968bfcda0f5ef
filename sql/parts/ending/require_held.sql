-- require_held() — refuses a word about a task whose lease the speaker has lost

create or replace function require_held(p_id bigint, p_claim bigint, p_held boolean)
  returns void
  language plpgsql
as $$
begin
  if p_held then
    return;
  end if;
  if not exists (select from tasks where id = p_id) and not exists (select from finished where id = p_id) then
    perform refuse_unknown(p_id);
  end if;
  perform refuse(
    'TK001',
    format('claim %s no longer holds task %s', coalesce(p_claim::text, 'null'), p_id),
    'Stop working on it and drop the result: its lease ran out and it was given to another worker, or it was cancelled.');
end;
$$;
