-- fold_notes() — moves what was noted beside claims (lease_notes) into their rows, where they are free
--
-- Never waits for a row: the notes of a claim whose row another transaction holds stay.

create or replace function fold_notes()
  returns void
  language plpgsql
as $$
declare
  v_claims bigint[];
begin
  if not exists (select from lease_notes) then
    return;
  end if;
  v_claims := array(
    select id from claims
    where id = any (array(select distinct claim from lease_notes))
    order by id
    for update skip locked
  );
  -- By a statement of its own: it sees what was noted until the rows were held.
  with folded as (
    delete from lease_notes
    where claim = any (v_claims) or not exists (select from claims where claims.id = lease_notes.claim)
    returning claim, ended, expires_at
  ), told as materialized (
    select claim, sum(ended)::integer as ended, max(expires_at) as expires_at from folded group by claim
  ), gone as (
    delete from claims using told where claims.id = any (array[told.claim]) and claims.open <= told.ended
  )
  update claims
  set open       = open - told.ended,
      expires_at = greatest(claims.expires_at, told.expires_at)
  from told
  where claims.id = any (array[told.claim]) and claims.open > told.ended;
end;
$$;
