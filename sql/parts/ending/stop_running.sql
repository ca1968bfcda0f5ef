-- stop_running() — tells workers at once which of their tasks were taken away

create or replace function stop_running(p_ids bigint[], p_claims bigint[])
  returns void
  language plpgsql
as $$
declare
  v_id bigint;
begin
  for v_id in
    select gone.id from unnest(p_ids, p_claims) as gone (id, claim) where gone.claim is not null limit 100
  loop
    perform pg_notify(current_schema() || ':cancel', v_id::text);
  end loop;
end;
$$;
