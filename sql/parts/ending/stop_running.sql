-- stop_running() — tells workers at once which of their tasks were taken away, and from which claim
--
-- The same task may have been retried and claimed again before they hear it.

create or replace function stop_running(p_ids bigint[], p_claims bigint[])
  returns void
  language plpgsql
as $$
declare
  v_gone text;
begin
  for v_gone in
    select gone.id || ' ' || gone.claim from unnest(p_ids, p_claims) as gone (id, claim) where gone.claim is not null limit 100
  loop
    perform pg_notify(current_schema() || ':cancel', v_gone);
  end loop;
end;
$$;
