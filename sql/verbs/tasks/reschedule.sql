-- reschedule(): running → queued, for another round
--
-- The round was a success, and the task is to run again at p_run_at: it counts an
-- iteration, its attempts begin anew, and its payload is kept unless another is
-- given. A document may live like this for ever.

create or replace function reschedule(
  p_id      bigint,
  p_claim   bigint,
  p_run_at  timestamptz,
  p_payload jsonb default null
)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_run_at(p_run_at);
  if p_payload is not null and exists (select from tasks where id = p_id and kind = 'sql') then
    p_payload := check_sql(p_payload, submitter());
  end if;
  if reschedule_one(p_id, p_claim, p_run_at, p_payload) is null then
    perform require_held(p_id, p_claim, false);
  end if;
end;
$$;
