-- cancel_tasks() — queued | running → cancelled, for the verbs; answers with those it cancelled

create or replace function cancel_tasks(p_ids bigint[])
  returns bigint[]
  language plpgsql
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
  return finish(v_ids, v_claims, 'cancelled', array_fill('aborted'::text, array[coalesce(cardinality(v_ids), 0)]));
end;
$$;
