-- reject_one() — running → queued | failed: what reject() does, with a time in place of a delay
--
-- For dialects. Answers with the state, or null when the claim does not hold the task: then
-- nothing was changed.

create or replace function reject_one(p_id bigint, p_claim bigint, p_error jsonb, p_run_at timestamptz)
  returns text
  language plpgsql
  set search_path from current
as $$
declare
  v_state text;
begin
  perform require_tasks('consume', array[p_id]);
  select state into v_state
  from end_attempts(
    array[p_id], array[p_claim], array['rejected'], array[p_error], null, null, null, false, array[p_run_at]);
  return v_state;
end;
$$;
