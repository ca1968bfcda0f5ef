-- take_chores() — gives a worker the chores that nobody leads, each in a new term; answers which
--
-- A worker that leads without knowing its term (its answer was lost) begins anew too:
-- the next term puts an end to whatever it did in the last.

create or replace function take_chores(p_worker text, p_chores text[], p_terms bigint[])
  returns text[]
  language sql
as $$
  with free as (
    select chores.name, chores.term, chores.expires_at
    from unnest(p_chores, p_terms) as given (name, term)
    join chores on chores.name = given.name
    where given.term is null
      and (chores.holder is null or chores.holder = p_worker or coalesce(chores.expires_at <= clock_timestamp(), true))
      and not coalesce(chores.rest_holder = p_worker and chores.rest_until > clock_timestamp(), false)
    order by chores.name
    for update of chores skip locked
  ), taken as (
    update chores
    set term            = chores.term + 1,
        holder          = p_worker,
        acquired_at     = clock_timestamp(),
        renewed_at      = clock_timestamp(),
        expires_at      = clock_timestamp() + ttl,
        resign_asked_at = null,
        rest_holder     = null,
        rest_until      = null
    from free
    where chores.name = free.name
    returning chores.name, chores.term, chores.acquired_at
  ), ended as (
    update terms
    set ended_at = least(free.expires_at, taken.acquired_at),
        how      = 'expired'
    from free
    join taken on taken.name = free.name
    where terms.chore = free.name and terms.term = free.term and terms.ended_at is null
  ), begun as (
    insert into terms (chore, term, worker, acquired_at)
    select name, term, p_worker, acquired_at from taken
  )
  select coalesce(array_agg(name), '{}') from taken;
$$;
