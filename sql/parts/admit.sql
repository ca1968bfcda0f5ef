-- admit() — which of these candidates may start, as far as their groups have room
--
-- The caller has locked the candidates' rows; at most p_limit are let in, in
-- order. A task starts only when each of its groups has room; it is counted in
-- all of them in this very transaction. Of the others, those whose group is now
-- full leave the claim index (park()), so that a full group costs nothing while
-- it is full.
--
-- p_waits is for the first look of a claim; on later ones it holds groups already
-- and leaves out candidates whose group somebody else holds (see lock_groups()).
--
-- A task refused by one group also counts as a wish in its other groups. That can
-- let in too few, never too many; those that are left are looked at again.

create or replace function admit(
  p_candidates tid[], p_limit integer, p_common integer, p_parks boolean, p_waits boolean, p_now timestamptz
)
  returns tid[]
  language plpgsql
as $$
declare
  v_held     text[];
  v_admitted tid[];
  v_refused  tid[];
  v_blockers text[];
  v_names    text[];
  v_starts   integer[];
begin
  v_held := lock_groups(
    array(select distinct unnest(groups) from tasks where ctid = any (p_candidates)),
    p_now, p_waits
  );

  with candidate as materialized (
    select ctid as tid, groups as names, max_running, row_number() over (order by priority desc, run_at, id) as place
    from tasks
    where ctid = any (p_candidates) and (p_waits or groups is null or groups <@ v_held)
  ), wish as materialized (
    select candidate.tid, candidate.place, held.name,
           row_number() over (partition by held.name order by candidate.place) as rank,
           group_room(held, candidate.max_running, p_common, p_now) as room
    from candidate
    cross join lateral unnest(candidate.names) as given (name)
    join groups as held on held.name = given.name
  ), fitting as materialized (
    select candidate.tid
    from candidate
    left join wish on wish.tid = candidate.tid
    group by candidate.tid, candidate.place
    having bool_and(wish.room is null or wish.rank <= wish.room)
    order by candidate.place
    limit p_limit
  ), start as materialized (
    select wish.name, count(fitting.tid)::integer as n
    from wish
    left join fitting on fitting.tid = wish.tid
    group by wish.name
  ), refusal as materialized (
    select wish.tid, wish.place, min(wish.name) as blocker
    from wish
    join start on start.name = wish.name
    where wish.rank > wish.room and start.n >= wish.room
    group by wish.tid, wish.place
  )
  select (select array_agg(tid) from fitting),
         (select array_agg(tid order by place) from refusal),
         (select array_agg(blocker order by place) from refusal),
         (select array_agg(name order by name) from start where n > 0),
         (select array_agg(n order by name) from start where n > 0)
  into v_admitted, v_refused, v_blockers, v_names, v_starts;

  if v_names is not null then
    perform charge_groups(v_names, v_starts, p_now);
  end if;
  if v_refused is not null and p_parks then
    perform park(v_refused, v_blockers, p_now);
  end if;
  if v_names is not null then
    perform prepare_next_start(v_names, p_now);
  end if;
  if v_refused is not null and p_parks and coalesce(cardinality(v_admitted), 0) < p_limit
     and cardinality(v_admitted || v_refused) < cardinality(p_candidates) then
    v_admitted := v_admitted || admit(
      array(select tid from unnest(p_candidates) as given (tid) where tid <> all (v_admitted || v_refused)),
      p_limit - coalesce(cardinality(v_admitted), 0), p_common, true, false, p_now);
  end if;
  return v_admitted;
end;
$$;
