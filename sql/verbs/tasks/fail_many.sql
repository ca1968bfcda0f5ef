-- fail_many(): running → queued | failed, many at once
--
-- An array left out, or a null in it, means what fail() takes by default. Answers
-- with what became of each. One that does not come back was lost: its lease ran
-- out or it was cancelled.

create or replace function fail_many(
  p_ids         bigint[],
  p_claims      bigint[],
  p_errors      jsonb[]       default null,
  p_reasons     text[]        default null,
  p_retries     boolean[]     default null,
  p_delays      interval[]    default null,
  p_started_ats timestamptz[] default null
)
  returns table (id bigint, state text, run_at timestamptz)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_outcomes(p_ids, p_claims);
  perform require_tasks('consume', p_ids);
  perform check_list('p_errors', p_errors);
  perform check_list('p_reasons', p_reasons);
  perform check_list('p_retries', p_retries);
  perform check_list('p_delays', p_delays);
  perform check_list('p_started_ats', p_started_ats);
  p_reasons := array(select coalesce(p_reasons[i], 'error') from generate_subscripts(p_ids, 1) as i order by i);
  perform check_reasons(p_reasons);
  perform check_delays(p_delays);
  return query
    select answer.id, answer.state, answer.run_at
    from end_attempts(p_ids, p_claims, p_reasons, p_errors, p_started_ats, p_retries, p_delays, false) as answer;
end;
$$;
