-- cancel_many(): queued | running → cancelled, many at once
--
-- Answers with the ids it cancelled; what had ended before is left as it is.

create or replace function cancel_many(p_ids bigint[])
  returns setof bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_ids    bigint[];
  v_claims bigint[];
begin
  select array_agg(live.id), array_agg(live.claim) into v_ids, v_claims
  from (
    select id, claim from tasks where id = any (p_ids) order by id for no key update
  ) as live;

  perform stop_running(v_ids, v_claims);
  return query
    select * from unnest(finish(
      v_ids, v_claims, 'cancelled', array_fill('aborted'::text, array[coalesce(cardinality(v_ids), 0)])));
end;
$$;
