-- Which tasks a claim takes, in order.

-- pick_tasks() — locks the next tasks of a queue that may start, in order
--
-- Lane by lane, from the highest priority down, each a range on time of the claim
-- index: never a sort, never past the due ones. p_from_times tells, for the lanes
-- in p_from_priorities, where to begin: a worker that remembers what it was given
-- last need not read the dead entries behind it again. Tasks of groups that another
-- transaction holds are passed over (admit_tasks()).
--
-- p_limit counts tasks. A pack that is too large for what is left, by more than p_spare, is cut,
-- so that the first of its tasks can be claimed. Where a lane may have packs,
-- few rows are read at first: what is locked and not claimed is hidden from other claims. If
-- nothing was found but a pack that another transaction holds, `held_pack` names it.
--
-- Keep it plpgsql: a `language sql` body is planned without its arguments. And one
-- queue per call: `queue = any (…)` cannot be read in index order. bench/ and
-- test/engine/plans.test.ts watch over this.

create or replace function pick_tasks(
  p_queue           text,
  p_limit           integer,
  p_common          integer,
  p_kinds           text[],
  p_handlers        text[],
  p_versions_from   integer[],
  p_versions_to     integer[],
  p_from_priorities integer[],
  p_from_times      timestamptz[],
  p_waits           boolean,
  p_now             timestamptz,
  p_spare           integer default 0,
  out tids          tid[],
  out ids           bigint[],
  out sizes         integer[],
  out frees_keys    boolean,
  out held_pack     bigint
)
  language plpgsql
as $$
declare
  c_parking_budget constant integer := 1000;
  c_looks          constant integer := 3;
  v_able     record;
  v_found    tid[];
  v_admitted record;
  v_times    timestamptz[];
  v_ids      bigint[];
  v_grouped  boolean;
  v_frees    boolean;
  v_sizes    integer[];
  v_lane     integer;
  v_taken    integer := 0;
  v_fitted   record;
  v_held     record;
  v_late     text[];
  v_looks    integer := 0;
  v_is_packed boolean;
  v_is_last  boolean;
  v_from     timestamptz;
  v_after    bigint;
  v_wanted   integer;
  v_chunk    integer;
  v_refused  integer := 0;
  v_busy     text[] := '{}';
begin
  tids := '{}';
  ids := '{}';
  sizes := '{}';
  frees_keys := false;
  -- A record holds the handlers flat. An array variable would be made flat for each task that is compared, which
  -- took 30 µs with 1,000 handlers.
  select p_handlers as handlers, p_versions_from as first, p_versions_to as last,
         array_agg(priority) as priorities, array_agg(has_packs) as packed
  into v_able
  from (
    select priority, bool_or(has_packs) as has_packs from lanes where queue = p_queue
    group by priority order by priority desc
  ) as lane;
  for v_place in 1 .. coalesce(cardinality(v_able.priorities), 0) loop
    v_lane := v_able.priorities[v_place];
    v_is_packed := v_able.packed[v_place];
    v_chunk := rows_to_read(p_limit - v_taken, v_is_packed);
    v_from := coalesce(p_from_times[array_position(p_from_priorities, v_lane)], '-infinity');
    v_after := -1;
    loop
      v_wanted := p_limit - v_taken;
      select array_agg(due.ctid), array_agg(due.run_at), array_agg(due.id), bool_or(due.groups is not null),
             bool_or(due.frees_key), array_agg(due.size)
      into v_found, v_times, v_ids, v_grouped, v_frees, v_sizes
      from (
        select ctid, run_at, id, groups, frees_key, size
        from tasks
        where queue = p_queue
          and parked_on is null
          and turn is null
          and priority = v_lane
          and (run_at, id) > (v_from, v_after)
          and run_at <= p_now
          and claim is null
          and (deadline is null or deadline > p_now)
          and can_run(kind, handler, version, p_kinds, v_able.handlers, v_able.first, v_able.last)
          and (groups is null or not groups && v_busy)
        order by run_at, id
        limit v_chunk
        for no key update skip locked
      ) as due;

      exit when v_found is null;
      v_is_last := cardinality(v_found) < v_chunk;
      frees_keys := frees_keys or coalesce(v_frees, false);
      -- The first pack of a lane may have been stored since the lanes were read.
      v_is_packed := v_is_packed or 1 < any (v_sizes);
      if v_is_packed then
        v_fitted := fit_packs(v_found, v_ids, v_sizes, v_wanted, p_spare);
        v_is_last := v_is_last and cardinality(v_fitted.tids) = cardinality(v_found);
        -- A worker that looked while the pack was held may sleep by now.
        if v_fitted.is_cut then
          perform wake_workers(array[p_queue]);
        end if;
        v_found := v_fitted.tids;
        v_ids := v_ids[:cardinality(v_found)];
        v_sizes := v_fitted.sizes;
      end if;
      if v_grouped then
        v_held := hold_groups_of(v_found, p_common, p_waits, p_now);
        p_waits := false;
        -- Between the look at the tasks and the lock of their groups, a report may have brought a task of such a
        -- group back that comes before these, or another claim may hold one: a group starts its tasks in order.
        if v_held.names is not null then
          select array_agg(distinct named.name) into v_late
          from tasks
          cross join lateral unnest(tasks.groups) as named (name)
          where queue = p_queue
            and parked_on is null
            and turn is null
            and priority = v_lane
            and (run_at, id) > (v_from, v_after)
            and (run_at, id) < (v_times[cardinality(v_found)], v_ids[cardinality(v_found)])
            and claim is null
            and (deadline is null or deadline > p_now)
            and can_run(kind, handler, version, p_kinds, v_able.handlers, v_able.first, v_able.last)
            and groups && v_held.names
            and tasks.ctid <> all (v_found)
            and named.name = any (v_held.names)
            and not named.name = any (v_held.busy);
          if v_late is not null then
            v_looks := v_looks + 1;
            if v_looks < c_looks then
              continue;
            end if;
            v_held.busy := v_held.busy || v_late;
            -- The claim that holds the earlier task may have left it, because this one holds the group.
            perform wake_workers(array[p_queue]);
          end if;
        end if;
        v_from := v_times[cardinality(v_found)];
        v_after := v_ids[cardinality(v_found)];
        v_admitted := admit_tasks(v_found, v_wanted, p_common, true, v_held.names, v_held.busy, p_now);
        v_busy := v_busy || v_admitted.busy;
        v_refused := v_refused + cardinality(v_found) - coalesce(cardinality(v_admitted.tids), 0) - v_admitted.passed;
        if v_is_packed then
          v_sizes := array(select v_sizes[array_position(v_ids, id)] from unnest(v_admitted.ids) as id);
        end if;
        v_found := v_admitted.tids;
        v_ids := v_admitted.ids;
      else
        v_from := v_times[cardinality(v_found)];
        v_after := v_ids[cardinality(v_found)];
        v_found := v_found[:v_wanted];
        v_ids := v_ids[:v_wanted];
      end if;
      tids := tids || v_found;
      ids := ids || v_ids;
      if v_is_packed then
        sizes := sizes || v_sizes;
        v_taken := v_taken + coalesce((select sum(size) from unnest(v_sizes) as size), 0);
      else
        sizes := sizes || array_fill(1, array[coalesce(cardinality(v_found), 0)]);
        v_taken := v_taken + coalesce(cardinality(v_found), 0);
      end if;
      exit when v_is_last or v_taken >= p_limit or v_refused >= c_parking_budget;
      -- Little more than is still wanted, for all of it is locked; far more only when
      -- nothing at all could start. Where packs may come, no more than they could fill.
      v_chunk := case
        when v_found is null then least(v_chunk * 2 + 50, c_parking_budget)
        when v_is_packed and 1 < any (v_sizes) then rows_to_read(p_limit - v_taken, true)
        when v_grouped then least((p_limit - v_taken) * 2 + 10, c_parking_budget)
        else p_limit - v_taken
      end;
    end loop;
    exit when v_taken >= p_limit or v_refused >= c_parking_budget;
    if v_is_packed and v_taken = 0 and held_pack is null then
      held_pack := (
        select id
        from tasks
        where queue = p_queue and parked_on is null and turn is null and priority = v_lane and run_at <= p_now
          and claim is null and size > 1
          and can_run(kind, handler, version, p_kinds, v_able.handlers, v_able.first, v_able.last)
        order by run_at, id
        limit 1);
    end if;
  end loop;

  -- Tasks of full groups stood in front of everything else. They are out of the
  -- way now; let a worker look again at once instead of at the next poll.
  if v_refused >= c_parking_budget and v_taken < p_limit then
    perform wake_workers(array[p_queue]);
  end if;
end;
$$;

-- rows_to_read() — how many rows to read for so many tasks: no more than may be packs of full size

create or replace function rows_to_read(p_tasks integer, p_has_packs boolean)
  returns integer
  language sql
  immutable
as $$
  select case when p_has_packs then (p_tasks - 1) / bound('pack') + 1 else p_tasks end;
$$;

-- fit_packs() — the first of these rows that have so many tasks
--
-- The last is cut if it has more than p_spare tasks beyond.

create or replace function fit_packs(
  p_tids tid[], p_ids bigint[], p_sizes integer[], p_limit integer, p_spare integer,
  out tids tid[], out sizes integer[], out is_cut boolean
)
  language plpgsql
as $$
declare
  v_tasks integer := 0;
begin
  for i in 1 .. cardinality(p_tids) loop
    if v_tasks + p_sizes[i] > p_limit + p_spare then
      tids := p_tids[:i - 1] || cut_pack(p_ids[i], p_limit - v_tasks);
      sizes := p_sizes[:i - 1] || (p_limit - v_tasks);
      is_cut := true;
      return;
    end if;
    v_tasks := v_tasks + p_sizes[i];
    if v_tasks >= p_limit then
      tids := p_tids[:i];
      sizes := p_sizes[:i];
      return;
    end if;
  end loop;
  tids := p_tids;
  sizes := p_sizes;
end;
$$;

-- can_run() — whether a claimer can run a task: its kind, its handler and its version
--
-- Null for kinds or handlers means any. Handlers run tasks of kind handler; a claimer
-- that names its handlers gets other kinds only if it names those too. A null among the
-- handlers stands for tasks without one: so documents are claimed by their version. One
-- expression, so that Postgres inlines it into the statements that read the claim index.

create or replace function can_run(
  p_kind text, p_handler text, p_version integer,
  p_kinds text[], p_handlers text[], p_versions_from integer[], p_versions_to integer[]
)
  returns boolean
  language sql
  immutable
as $$
  select (p_kinds is null or p_kind = any (p_kinds))
     and (p_handlers is null
          or (p_kind <> 'handler' and p_kind = any (p_kinds) and array_position(p_handlers, p_handler) is null)
          or p_version between p_versions_from[array_position(p_handlers, p_handler)]
                           and p_versions_to[array_position(p_handlers, p_handler)]);
$$;
