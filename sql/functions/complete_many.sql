-- complete_many(): running → done, many at once
--
-- Answers with the ids it completed. One that does not come back was lost: its
-- lease ran out or it was cancelled, and its result was dropped.
--
-- One call is one transaction, and holds the rows of all its tasks until it commits. Call it
-- for about 1,000 at a time, each call committed by itself, as the client does.

create or replace function complete_many(
  p_ids         bigint[],
  p_claims      bigint[],
  p_outputs     jsonb[]       default null,
  p_started_ats timestamptz[] default null
)
  returns setof bigint
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_outcomes(p_ids, p_claims);
  perform require_tasks('consume', p_ids);
  perform check_list('p_outputs', p_outputs);
  perform check_list('p_started_ats', p_started_ats);
  perform check_sizes('output', p_outputs);
  return query
    select * from unnest(finish(p_ids, p_claims, 'done', null, p_outputs, null, p_started_ats));
end;
$$;
