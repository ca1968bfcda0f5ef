-- extend(): running, its lease moved
--
-- Renews all the leases named, from now. Answers with the claims still held; one
-- that does not come back is over, and its tasks must be dropped.

create or replace function extend(p_claims bigint[], p_lease interval default '15 seconds')
  returns setof bigint
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_claim('extend', 0, p_lease, null, null, null);
  return query
    update claims
    set expires_at = clock_timestamp() + p_lease
    where id = any (p_claims)
    returning id;
end;
$$;
