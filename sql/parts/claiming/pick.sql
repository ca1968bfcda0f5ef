-- pick() — locks the next tasks of a queue that may start, in order
--
-- Lane by lane, from the highest priority down, each a range on time of the claim
-- index: never a sort, never past the due ones. p_from_times tells, for the lanes
-- in p_from_priorities, where to begin: a worker that remembers what it was given
-- last need not read the dead entries behind it again. Tasks of groups that another
-- transaction holds are passed over (admit()).
--
-- Keep it plpgsql: a `language sql` body is planned without its arguments. And one
-- queue per call: `queue = any (…)` cannot be read in index order. bench/ and
-- test/engine/plans.test.ts watch over this.

create or replace function pick(
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
  out tids          tid[],
  out ids           bigint[],
  out frees_keys    boolean
)
  language plpgsql
as $$
declare
  c_parking_budget constant integer := 1000;
  v_found    tid[];
  v_admitted record;
  v_times    timestamptz[];
  v_ids      bigint[];
  v_grouped  boolean;
  v_frees    boolean;
  v_lane     integer;
  v_from     timestamptz;
  v_after    bigint;
  v_wanted   integer;
  v_chunk    integer := p_limit;
  v_refused  integer := 0;
  v_busy     text[] := '{}';
begin
  tids := '{}';
  ids := '{}';
  frees_keys := false;
  foreach v_lane in array array(
    select distinct priority from lanes where queue = p_queue order by priority desc
  ) loop
    v_from := coalesce(p_from_times[array_position(p_from_priorities, v_lane)], '-infinity');
    v_after := -1;
    loop
      v_wanted := p_limit - cardinality(tids);
      select array_agg(due.ctid), array_agg(due.run_at), array_agg(due.id), bool_or(due.groups is not null),
             bool_or(due.frees_key)
      into v_found, v_times, v_ids, v_grouped, v_frees
      from (
        select ctid, run_at, id, groups, frees_key
        from tasks
        where queue = p_queue
          and parked_on is null
          and turn is null
          and priority = v_lane
          and (run_at, id) > (v_from, v_after)
          and run_at <= p_now
          and claim is null
          and (deadline is null or deadline > p_now)
          and suits(kind, handler, version, p_kinds, p_handlers, p_versions_from, p_versions_to)
          and (groups is null or not groups && v_busy)
        order by run_at, id
        limit v_chunk
        for no key update skip locked
      ) as due;

      exit when v_found is null;
      frees_keys := frees_keys or coalesce(v_frees, false);
      if v_grouped then
        v_admitted := admit(v_found, v_wanted, p_common, true, p_waits, p_now);
        p_waits := false;
        v_busy := v_busy || v_admitted.busy;
        v_refused := v_refused + cardinality(v_found) - coalesce(cardinality(v_admitted.tids), 0) - v_admitted.passed;
        tids := tids || v_admitted.tids;
        ids := ids || v_admitted.ids;
      else
        tids := tids || v_found[:v_wanted];
        ids := ids || v_ids[:v_wanted];
      end if;
      exit when cardinality(v_found) < v_chunk or cardinality(tids) >= p_limit or v_refused >= c_parking_budget;
      v_from := v_times[cardinality(v_found)];
      v_after := v_ids[cardinality(v_found)];
      -- Little more than is still wanted, for all of it is locked; far more only when
      -- nothing at all could start.
      v_chunk := least(
        case when v_admitted.tids is null then v_chunk * 2 + 50 else (p_limit - cardinality(tids)) * 2 + 10 end,
        c_parking_budget);
    end loop;
    exit when cardinality(tids) >= p_limit or v_refused >= c_parking_budget;
  end loop;

  -- Tasks of full groups stood in front of everything else. They are out of the
  -- way now; let somebody look again at once instead of at the next poll.
  if v_refused >= c_parking_budget and cardinality(tids) < p_limit then
    perform ring(array[p_queue]);
  end if;
end;
$$;
