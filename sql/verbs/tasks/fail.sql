-- fail(): running → queued | failed
--
-- The attempt is over and did not succeed. While attempts are left the task goes
-- back to the queue and waits as its backoff says (or p_delay); p_retry = false
-- means that trying again would not help. Answers with what became of it.

create or replace function fail(
  p_id         bigint,
  p_claim      bigint,
  p_error      jsonb       default null,
  p_reason     text        default 'error',
  p_retry      boolean     default true,
  p_delay      interval    default null,
  p_started_at timestamptz default null
)
  returns table (state text, run_at timestamptz)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_reasons(array[p_reason]), check_delays(array[p_delay]), require_tasks('consume', array[p_id]);
  select answer.state, answer.run_at into state, run_at
  from end_attempts(
    array[p_id], array[p_claim], array[p_reason], array[p_error], array[p_started_at], array[p_retry],
    array[p_delay], false) as answer;
  if not found then
    perform require_held(p_id, p_claim, false);
  end if;
  return next;
end;
$$;
