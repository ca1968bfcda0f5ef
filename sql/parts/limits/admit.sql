-- admit() — which of these candidates may start, as far as their groups have room
--
-- The caller has locked the candidates' rows; at most p_limit are let in, in
-- order. A task starts only when each of its groups has room; it is counted in
-- all of them in this very transaction. Of the others, those whose group is now
-- full leave the claim index (park()), so that a full group costs nothing while
-- it is full.
--
-- p_waits is for the first look of a claim that may wait; on later ones it holds groups
-- already and leaves out candidates whose group another transaction holds (see
-- lock_groups()): `passed` of them, of the groups in `busy`.
--
-- A task refused by one group also counts as a wish in its other groups. That can
-- let in too few, never too many; those that are left are looked at again.

create or replace function admit(
  p_candidates tid[], p_limit integer, p_common integer, p_parks boolean, p_waits boolean, p_now timestamptz,
  out tids tid[], out ids bigint[], out busy text[], out passed integer
)
  language plpgsql
as $$
declare
  v_names    text[] := array(select distinct unnest(groups) from tasks where ctid = any (p_candidates));
  v_held     text[];
  v_refused  tid[];
  v_blockers text[];
  v_charged  text[];
  v_starts   integer[];
  v_more     record;
begin
  v_held := coalesce(lock_groups(v_names, p_now, p_waits), '{}');
  passed := 0;
  if cardinality(v_held) < cardinality(v_names) then
    busy := array(select name from unnest(v_names) as given (name) where name <> all (v_held));
    passed := (select count(*) from tasks where ctid = any (p_candidates) and groups && busy);
  end if;

  -- One row per task and group it names (a single one, without a name, if none);
  -- ranked by windows, since a join of the batch with itself would be quadratic.
  with wish as (
    select candidate.tid, candidate.id, candidate.place, held.name,
           row_number() over (partition by held.name order by candidate.place) as rank,
           group_room(held, candidate.max_running, p_common, p_now) as room
    from (
      select ctid as tid, id, groups as names, max_running,
             row_number() over (order by priority desc, run_at, id) as place
      from tasks
      where ctid = any (p_candidates) and (p_waits or groups is null or groups <@ v_held)
    ) as candidate
    left join lateral unnest(candidate.names) as given (name) on true
    left join groups as held on held.name = given.name
  ), judged as materialized (
    select tid, id, place, name, rank, room,
           bool_and(name is null or room is null or rank <= room) over (partition by place) as fits
    from wish
  ), fitting as materialized (
    select place, tid, id from judged where fits group by place, tid, id order by place limit p_limit
  ), counted as materialized (
    select tid, place, name, rank, room,
           count(*) filter (where fits and place <= (select max(place) from fitting)) over (partition by name) as starts
    from judged
    where name is not null
  ), refusal as materialized (
    select place, tid, min(name) as blocker from counted where rank > room and starts >= room group by place, tid
  ), start as materialized (
    select name, max(starts)::integer as n from counted where starts > 0 group by name
  )
  select (select array_agg(fitting.tid order by fitting.place) from fitting),
         (select array_agg(fitting.id order by fitting.place) from fitting),
         (select array_agg(refusal.tid order by refusal.place) from refusal),
         (select array_agg(refusal.blocker order by refusal.place) from refusal),
         (select array_agg(start.name order by start.name) from start),
         (select array_agg(start.n order by start.name) from start)
  into tids, ids, v_refused, v_blockers, v_charged, v_starts;

  if v_charged is not null then
    perform charge_groups(v_charged, v_starts, p_now);
  end if;
  if v_refused is not null and p_parks then
    perform park(v_refused, v_blockers, p_now);
  end if;
  if v_charged is not null then
    perform prepare_next_start(v_charged, p_now);
  end if;
  if v_refused is not null and p_parks and coalesce(cardinality(tids), 0) < p_limit
     and cardinality(tids || v_refused) < cardinality(p_candidates) then
    v_more := admit(
      array(select tid from unnest(p_candidates) as given (tid) where tid <> all (tids || v_refused)),
      p_limit - coalesce(cardinality(tids), 0), p_common, true, false, p_now);
    tids := tids || v_more.tids;
    ids := ids || v_more.ids;
    busy := v_more.busy;
    passed := v_more.passed;
  end if;
end;
$$;
