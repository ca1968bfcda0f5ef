-- reject(): running → queued | failed
--
-- The consumer hands the task back: it cannot be done now. Charged like a failed
-- attempt, with the reason `rejected`; p_delay says when it may be tried again,
-- otherwise its backoff does.

create or replace function reject(
  p_id    bigint,
  p_claim bigint,
  p_error jsonb    default null,
  p_delay interval default null
)
  returns table (state text, run_at timestamptz)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_delays(array[p_delay]);
  perform require_tasks('consume', array[p_id]);
  select answer.state, answer.run_at into state, run_at
  from end_attempts(
    array[p_id], array[p_claim], array['rejected'], array[p_error], null, null, array[p_delay], false) as answer;
  perform require_held(p_id, p_claim, found);
  return next;
end;
$$;
