-- lead_chores() — renews the chores that a worker leads, and takes those without a leader
--
-- One statement for all its chores: p_terms has the term of each that it leads, and
-- null for each that it would lead. Renewed is only what is led in this very term
-- and has not run out; taken what has no holder, or one whose lease ran out, in the
-- next term. It waits for no other session: what another worker is taking, or what an old
-- leader's transaction still holds (fence()), is left for the next time. Should it come
-- to waiting after all, it ends before the caller has lost patience: its session would
-- be left behind, and with it what it holds.
--
-- Answers a row per chore that is registered: the term it is led in from now on, or
-- null; how long the lease lasts; whether an operator asked to resign. To workers that do
-- not lead it says in how long the chore may be free for them, and their place
-- among the workers that would lead it, so that not all of them look equally often.
-- Those not heard of for longer than an idle worker is silent come last: where
-- workers die one after the other, the dead should not be all that look first.
--
-- p_runs tells how the chores went (record_runs()).

create or replace function lead_chores(p_worker text, p_chores text[], p_terms bigint[], p_runs jsonb default null)
  returns table (
    chore         text,
    term          bigint,
    expires_in_ms float8,
    resign        boolean,
    free_in_ms    float8,
    place         integer,
    candidates    integer
  )
  language plpgsql
  security definer
  set search_path from current
  set lock_timeout = '2s'
as $$
#variable_conflict use_column
declare
  v_led text[];
  v_now timestamptz;
begin
  perform check_worker(p_worker);
  if not is_list(p_chores) or not is_list(p_terms) or p_chores is null
     or cardinality(p_chores) is distinct from cardinality(p_terms) then
    perform refuse('TK004', 'lead_chores needs a worker, its chores, and a term or null for each',
                   'Write lead_chores(''worker'', ''{rescue,sweep}'', ''{7,null}'').');
  end if;
  perform record_runs(p_worker, p_runs);
  v_led := renew_chores(p_worker, p_chores, p_terms) || take_chores(p_worker, p_chores, p_terms);
  v_now := clock_timestamp();

  return query
    select chores.name,
           case when own.leads then chores.term end,
           (extract(epoch from chores.expires_at - v_now) * 1000)::float8,
           own.leads and chores.resign_asked_at is not null,
           (extract(epoch from greatest(
             case when chores.holder is not null then chores.expires_at end,
             case when chores.rest_holder = p_worker then chores.rest_until end,
             v_now) - v_now) * 1000)::float8,
           line.place::integer,
           line.candidates::integer
    from chores
    cross join lateral (select chores.name = any (v_led) as leads) as own
    left join lateral (
      select count(*) filter (where workers.id < p_worker and workers.beat_at > v_now - interval '25 seconds') as place,
             count(*) as candidates
      from workers
      where not own.leads and chores.name = any (workers.chores) and workers.beat_at > v_now - interval '1 minute'
    ) as line on true
    where chores.name = any (p_chores)
    order by chores.name;
end;
$$;

-- take_chores() — gives a worker the chores that have no leader, each in a new term; answers which
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

-- renew_chores() — moves the leases of what a worker leads; answers what it leads
--
-- It waits for no other session. A row that another one holds, such as a transaction that has
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
