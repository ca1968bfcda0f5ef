-- Limits of groups: how much room there is, and who gets it.

-- admit_tasks() — which of these candidates may start, as far as their groups have room
--
-- The caller has locked the candidates' rows; at most p_limit are let in, in
-- order. A task starts only when each of its groups has room; it is counted in
-- all of them in this very transaction. Of the others, those whose group is now
-- full leave the claim index (park_tasks()), so that a full group costs nothing while
-- it is full.
--
-- The caller holds the groups in p_names (hold_groups_of()). Candidates of the groups in p_busy
-- are left out: `passed` counts them.
--
-- A task refused by one group also counts as a wish in its other groups. That can
-- let in too few, never too many; those that are left are looked at again.

create or replace function admit_tasks(
  p_candidates tid[], p_limit integer, p_common integer, p_parks boolean, p_names text[], p_busy text[],
  p_now timestamptz,
  out tids tid[], out ids bigint[], out busy text[], out passed integer
)
  language plpgsql
as $$
declare
  v_refused  tid[];
  v_blockers text[];
  v_rooms    integer[];
  v_charged  text[];
  v_starts   integer[];
  v_more     record;
begin
  busy := p_busy;
  passed := 0;
  if busy <> '{}' then
    passed := (select count(*) from tasks where ctid = any (p_candidates) and groups && busy);
    -- Read by claim(), if it finds nothing to start.
    perform set_config('tusk.met_held_group', 'yes', true);
  end if;
  if p_names is null then
    select array_agg(ctid), array_agg(id) into tids, ids
    from (
      select ctid, id from tasks
      where ctid = any (p_candidates) and (busy = '{}' or groups is null or not groups && busy)
      order by priority desc, run_at, id
      limit p_limit
    ) as free;
    return;
  end if;

  -- One row per task and group it names (a single one, without a name, if none). Ranked by
  -- windows without partitions: a join of the batch with itself would be quadratic, and
  -- a partition of one row costs as much as ten rows.
  with named as (
    select tid, id, place, max_running, unnest(case when groups <> '{}' then groups else '{null}' end) as name
    from (
      select ctid as tid, id, max_running, groups, row_number() over (order by priority desc, run_at, id) as place
      from tasks
      where ctid = any (p_candidates) and (busy = '{}' or groups is null or not groups && busy)
    ) as candidate
  ), wish as (
    select named.tid, named.id, named.place, held.name,
           group_room(held, named.max_running, p_common, p_now) as room,
           row_number() over line as spot, lag(held.name) over line is distinct from held.name as is_first
    from named
    left join groups as held on held.name = any (array[named.name])
    window line as (order by held.name, named.place)
  ), ranked as materialized (
    select tid, id, place, name, room,
           spot + 1 - max(case when is_first then spot end) over (order by spot rows unbounded preceding) as rank
    from wish
  ), fitting as materialized (
    select tid, id
    from ranked
    group by place, tid, id
    having bool_and(name is null or coalesce(rank <= room, true))
    order by place
    limit p_limit
  ), excess as materialized (
    select tid, name, room from ranked where name is not null and rank > room order by place
  )
  select (select array_agg(fitting.tid) from fitting), (select array_agg(fitting.id) from fitting),
         (select array_agg(excess.tid) from excess), (select array_agg(excess.name) from excess),
         (select array_agg(excess.room) from excess)
  into tids, ids, v_refused, v_blockers, v_rooms;

  select array_agg(started.name), array_agg(started.n) into v_charged, v_starts
  from (
    select name, count(*)::integer as n
    from (select unnest(groups) as name from tasks where ctid = any (tids)) as named
    group by name
  ) as started;
  if v_refused is not null then
    select array_agg(refusal.tid order by refusal.place), array_agg(refusal.blocker order by refusal.place)
    into v_refused, v_blockers
    from (
      select tid, min(place) as place, min(blocker) as blocker
      from unnest(v_refused, v_blockers, v_rooms) with ordinality as excess (tid, blocker, room, place)
      where coalesce(v_starts[array_position(v_charged, blocker)], 0) >= room
      group by tid
    ) as refusal;
  end if;
  if v_charged is not null then
    v_charged := charge_groups(v_charged, v_starts, p_now);
  end if;
  if v_refused is not null and p_parks then
    perform park_tasks(v_refused, v_blockers, p_now);
  end if;
  if v_charged is not null then
    perform prepare_next_start(v_charged);
  end if;
  if v_refused is not null and p_parks and coalesce(cardinality(tids), 0) < p_limit
     and cardinality(tids || v_refused) < cardinality(p_candidates) then
    v_more := admit_tasks(
      array(select unnest(p_candidates) except select unnest(tids || v_refused)),
      p_limit - coalesce(cardinality(tids), 0), p_common, true, p_names, p_busy, p_now);
    tids := tids || v_more.tids;
    ids := ids || v_more.ids;
  end if;
end;
$$;

-- hold_groups_of() — holds the rows of the groups that candidates of a claim name
--
-- Groups without a row are left alone, and their tasks run uncounted, unless one of the
-- candidates comes with a limit or the queue has one for its groups (p_common). `names` are the
-- groups whose rows are held, null if none; `busy` those whose tasks cannot be judged now,
-- because another transaction holds the row or keeps it from being made.
--
-- p_waits is for the first look of a claim that may wait: on later ones it holds groups already.

create or replace function hold_groups_of(
  p_candidates tid[], p_common integer, p_waits boolean, p_now timestamptz, out names text[], out busy text[]
)
  language plpgsql
as $$
declare
  v_names   text[];
  v_limited text[];
  v_missing text[];
  v_needed  text[] := '{}';
  v_open    text[];
  v_known   text[];
  v_locked  text[];
begin
  select array_agg(given.name), array_agg(given.name) filter (where given.is_limited)
  into v_names, v_limited
  from (
    select name, bool_or(p_common is not null or max_running is not null) as is_limited
    from (select unnest(groups) as name, max_running from tasks where ctid = any (p_candidates)) as named
    group by name
  ) as given;
  busy := '{}';
  if v_names is null then
    return;
  end if;
  -- Nearly always all have a row that is free.
  if not p_waits then
    names := lock_groups(v_names, p_now, false);
    if cardinality(names) = cardinality(v_names) then
      return;
    end if;
  end if;
  v_open := case when names is null then v_names else array(select unnest(v_names) except select unnest(names)) end;
  -- Again, if sweep() has taken away a row that was waited for.
  for i in 1 .. case when p_waits then 2 else 1 end loop
    v_known := array(select name from groups where name = any (v_open));
    v_missing := array(select unnest(v_open) except select unnest(v_known));
    if v_missing <> '{}' then
      if v_limited is not null then
        v_needed := array(select unnest(v_missing) intersect select unnest(v_limited));
        perform create_groups(v_needed, p_waits, p_now);
      end if;
      if cardinality(v_needed) < cardinality(v_missing) and not start_uncounted(p_now) then
        v_needed := v_missing;
        perform create_groups(v_needed, p_waits, p_now);
      end if;
    end if;
    -- This transaction may hold groups that it took out of order, when it looked without waiting. So it gives
    -- up (claim_held()) long before another could wait for it until the server finds a deadlock.
    if p_waits and cardinality(v_open) > 1 then
      perform set_config('lock_timeout', greatest(10, extract(epoch from current_setting('lock_timeout')::interval)
                                                      * 1000 / cardinality(v_open))::integer || 'ms', true);
    end if;
    v_locked := lock_groups(v_open, p_now, p_waits);
    -- What has no row now stays without one only for those who may start uncounted.
    if not has_started_uncounted(p_now) then
      v_known := v_open;
    else
      v_known := v_needed || array(select name from groups where name = any (v_open));
    end if;
    busy := case when v_known = '{}' then v_known else array(select unnest(v_known) except select unnest(v_locked)) end;
    exit when busy = '{}';
  end loop;
  names := names || v_locked;
end;
$$;

-- group_room() — how many more tasks of a group may start right now
--
-- Null means as many as you like. The limit given with a task (p_own) goes before
-- the group's, which goes before what the queue says for all groups (p_common).
-- The caller holds the group's row and has called refresh_rates().
-- One expression, so that Postgres inlines it.

create or replace function group_room(p_group groups, p_own integer, p_common integer, p_now timestamptz)
  returns integer
  language sql
  immutable
as $$
  select case
    when p_group.paused_at is not null or p_group.next_start_at > p_now then 0
    else least(
      -- greatest() passes over nulls, so "no limit" must be distinguished from a limit of nothing.
      case when coalesce(p_own, p_group.max_running, p_common) is not null then
        greatest(coalesce(p_own, p_group.max_running, p_common) - p_group.running, 0)
      end,
      case when p_group.gap > interval '0' then 1 end,
      p_group.rate_left
    )
  end;
$$;

-- charge_groups() — books starts in groups whose rows the caller holds; answers with those that have a gap or a rate

create or replace function charge_groups(p_names text[], p_starts integer[], p_now timestamptz)
  returns text[]
  language plpgsql
as $$
declare
  v_timed text[];
  v_group groups;
  v_last  integer;
begin
  with charged as (
    update groups
    set running       = running + p_starts[i],
        used_at       = p_now,
        next_start_at = case
          when gap > interval '0' and gap_from = 'start' then greatest(next_start_at, p_now + gap)
          else next_start_at
        end
    from generate_subscripts(p_names, 1) as i
    where groups.name = any (array[p_names[i]])
    returning groups.name, rate is not null or gap > interval '0' as is_timed
  )
  select array_agg(name) into v_timed from charged where is_timed;

  for v_group in
    select groups.* from groups where name = any (v_timed) and rate is not null
  loop
    v_last := cardinality(v_group.start_times);
    if v_last > 0 and date_bin(v_group.rate_window / 100, v_group.start_times[v_last], 'epoch')
                    = date_bin(v_group.rate_window / 100, p_now, 'epoch') then
      v_group.start_times[v_last] := greatest(v_group.start_times[v_last], p_now);
      v_group.start_counts[v_last] := v_group.start_counts[v_last] + p_starts[array_position(p_names, v_group.name)];
    else
      v_group.start_times := v_group.start_times || p_now;
      v_group.start_counts := v_group.start_counts || p_starts[array_position(p_names, v_group.name)];
    end if;
    perform refresh_rate(v_group, p_now);
  end loop;
  return v_timed;
end;
$$;

-- refresh_rate() — how many starts a group's rate still allows in the running window
--
-- The starts of a window are kept as (time, count), one pair per hundredth of the
-- window, dated at its last start: so no window ever sees more than the rate, and
-- at most a hundredth of it goes unused. A claim that waited for the group's row
-- may be dated before one that overtook it, so one window more is remembered.

create or replace function refresh_rate(p_group groups, p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_times  timestamptz[];
  v_counts integer[];
  v_left   integer;
  v_first  timestamptz;
begin
  select coalesce(array_agg(past.at order by past.at), '{}'), coalesce(array_agg(past.n order by past.at), '{}'),
         p_group.rate - coalesce(sum(past.n) filter (where past.at > p_now - p_group.rate_window), 0),
         min(past.at) filter (where past.at > p_now - p_group.rate_window)
  into v_times, v_counts, v_left, v_first
  from unnest(p_group.start_times, p_group.start_counts) as past (at, n)
  where past.at > p_now - 2 * p_group.rate_window;

  update groups
  set start_times   = v_times,
      start_counts  = v_counts,
      rate_left     = greatest(v_left, 0),
      next_start_at = case
        when v_left <= 0 then greatest(next_start_at, v_first + rate_window)
        else next_start_at
      end
  where name = p_group.name;
end;
$$;
