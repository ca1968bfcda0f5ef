-- renew_chores() — moves the leases of what a worker leads; answers which
--
-- Waits for whoever holds a row, in the order of names, and looks at it again then.

create or replace function renew_chores(p_worker text, p_chores text[], p_terms bigint[])
  returns text[]
  language sql
as $$
  with held as (
    select chores.name
    from unnest(p_chores, p_terms) as given (name, term)
    join chores on chores.name = given.name
    where chores.holder = p_worker and chores.term = given.term and chores.expires_at > clock_timestamp()
    order by chores.name
    for no key update of chores
  ), renewed as (
    update chores
    set renewed_at = clock_timestamp(),
        expires_at = clock_timestamp() + ttl
    from held
    where chores.name = held.name
    returning chores.name
  )
  select coalesce(array_agg(name), '{}') from renewed;
$$;
