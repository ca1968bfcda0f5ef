-- cancel_many(): queued | running → cancelled, many at once
--
-- Answers with the ids it cancelled; what had ended before is left as it is.
--
-- One call is one transaction, and holds the rows of all its tasks until it commits. Call it
-- for about 1,000 at a time, each call committed by itself, as the client does.

create or replace function cancel_many(p_ids bigint[])
  returns setof bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_ids bigint[];
begin
  perform require_tasks('operate', p_ids);
  v_ids := cancel_tasks(p_ids);
  perform audit_tasks('cancel_many', v_ids);
  return query select unnest(v_ids);
end;
$$;
