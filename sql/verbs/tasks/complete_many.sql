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
declare
  v_rows record;
begin
  perform check_outcomes(p_ids, p_claims);
  perform require_tasks('consume', p_ids);
  perform check_list('p_outputs', p_outputs);
  perform check_list('p_started_ats', p_started_ats);
  perform check_outputs(p_ids, p_outputs);
  v_rows := fold_packs(p_ids, p_claims, p_outputs, p_started_ats);
  return query
    select * from unnest(end_tasks(
      v_rows.ids, v_rows.claims, 'done', null, v_rows.outputs, null, v_rows.started_ats, p_sizes => v_rows.sizes));
end;
$$;
