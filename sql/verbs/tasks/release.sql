-- release(): running → queued, as if it had not been claimed
--
-- For a worker that stops with tasks still in its buffer: the attempt is given
-- back and the task keeps its place. Answers with the ids it released.
--
-- One call is one transaction, and holds the rows of all its tasks until it commits. Call it
-- for about 1,000 at a time, each call committed by itself, as the client does.

create or replace function release(p_ids bigint[], p_claims bigint[])
  returns setof bigint
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_outcomes(p_ids, p_claims);
  perform require_tasks('consume', p_ids);
  perform split_live_packs(p_ids);
  return query
    select * from unnest(requeue(p_ids, p_claims, 'returned'));
end;
$$;
