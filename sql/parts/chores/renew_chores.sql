-- renew_chores() — moves the leases of what a worker leads; answers what it leads
--
-- Nobody is waited for. A row that somebody holds, such as a transaction that has
-- called resign() and stays open, is led on for as long as its lease lasts, and is
-- renewed the next time: one row must not cost a worker all it leads.

create or replace function renew_chores(p_worker text, p_chores text[], p_terms bigint[])
  returns text[]
  language plpgsql
as $$
begin
  update chores
  set renewed_at = clock_timestamp(),
      expires_at = clock_timestamp() + ttl
  where name = any (array(
    select chores.name
    from unnest(p_chores, p_terms) as given (name, term)
    join chores on chores.name = given.name
    where chores.holder = p_worker and chores.term = given.term and chores.expires_at > clock_timestamp()
    order by chores.name
    for no key update of chores skip locked
  ));
  return array(
    select chores.name
    from unnest(p_chores, p_terms) as given (name, term)
    join chores on chores.name = given.name
    where chores.holder = p_worker and chores.term = given.term and chores.expires_at > clock_timestamp()
  );
end;
$$;
