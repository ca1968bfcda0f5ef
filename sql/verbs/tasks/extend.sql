-- extend(): running, its lease moved
--
-- Renews all the leases named, from now. Answers with the claims still held; one
-- that does not come back is over, and its tasks must be dropped.
--
-- Never waits for a row. A claim whose row another transaction holds, such as an operator's
-- cancel() that is not committed yet, is renewed by a note beside it, if its lease is
-- not over: rescue() honours the note, and moves it into the row when that is free.

create or replace function extend(p_claims bigint[], p_lease interval default '15 seconds')
  returns setof bigint
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_renewed bigint[];
  v_noted   bigint[];
begin
  perform check_claim('extend', 0, p_lease, null, null, null);
  perform require_claims(p_claims);
  with renewed as (
    update claims
    set expires_at = clock_timestamp() + p_lease
    where id = any (array(
      select id from claims where id = any (p_claims) order by id for no key update skip locked
    ))
    returning id
  )
  select coalesce(array_agg(id), '{}') into v_renewed from renewed;

  if cardinality(v_renewed) < cardinality(p_claims) then
    with noted as (
      insert into lease_notes (claim, expires_at)
      select claims.id, clock_timestamp() + p_lease
      from claims
      where claims.id = any (p_claims) and claims.id <> all (v_renewed)
        and greatest(claims.expires_at,
                     (select max(expires_at) from lease_notes where claim = claims.id)) > clock_timestamp()
      returning claim
    )
    select array_agg(claim) into v_noted from noted;
  end if;
  return query select unnest(v_renewed || v_noted);
end;
$$;

-- require_claims() — refuses a caller that may not consume the queue of one of these claims

create or replace function require_claims(p_claims bigint[])
  returns void
  language plpgsql
as $$
begin
  if has_grants() then
    perform require_queues('consume', array(select queue from claims where id = any (p_claims)));
  end if;
end;
$$;
