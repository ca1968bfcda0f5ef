-- Tasks whose lease is over.

-- take_lost_tasks() — takes tasks whose lease is over into its hands, up to p_limit, for the verbs that rescue
--
-- Claim by claim, the longest over first, and of each as many tasks as are still wanted: a
-- round is bounded by tasks, however many one claim holds. Of one queue, and with a p_state
-- of those that would end in it, if the caller says so. `read` names the claims of which no
-- task was left out.
--
-- Never waits for a row, and holds all that ending the tasks will need. What another transaction
-- holds is left to a later round: a claim's row, a task, the row of a group or of a counted
-- queue, a key. So is a claim with a note beside it, which fold_lease_notes() has to read first.

create or replace function take_lost_tasks(
  p_queue text, p_state text, p_limit integer,
  out ids bigint[], out tokens bigint[], out queues text[], out errors jsonb[], out again boolean[], out read bigint[]
)
  language plpgsql
as $$
#variable_conflict use_column
declare
  v_now   timestamptz := clock_timestamp();
  v_lease claims;
  v_rules record;
  v_page  record;
  v_free  bigint[];
  v_seen  bigint[];
  v_busy  text[];
begin
  ids := '{}';
  read := '{}';
  for v_lease in
    select * from claims
    where expires_at < v_now and (p_queue is null or queue = p_queue)
    order by expires_at
    for update skip locked
  loop
    exit when cardinality(ids) >= p_limit;
    continue when exists (select from lease_notes where claim = v_lease.id);
    select is_counted, on_lost, max_attempts into v_rules from queue_rules(v_lease.queue);
    continue when v_rules.is_counted and lock_free_groups(array[array['@' || v_lease.queue]::text], v_now) <> '{}';
    v_lease.tasks := held_tasks(v_lease);
    perform cut_pack(pack.id, 1, false)
    from (
      select tasks.id from unnest(v_lease.tasks) as held (id)
      join tasks on tasks.id = any (array[held.id]) and tasks.claim = v_lease.id and tasks.size > 1
      limit rows_to_read(p_limit - cardinality(ids), true)
    ) as pack;
    v_seen := '{}';
    v_busy := '{}';
    loop
      select coalesce(array_agg(lost.id), '{}') as ids, coalesce(array_agg(lost.key), '{}') as keys,
             coalesce(array_agg(lost.groups::text), '{}') as groups
      into v_page
      from (
        select tasks.id, tasks.key, tasks.groups
        from unnest(v_lease.tasks) as held (id)
        join tasks on tasks.id = any (array[held.id]) and tasks.claim = v_lease.id
        where tasks.size = 1 and tasks.id <> all (v_seen) and (tasks.groups is null or not tasks.groups && v_busy)
          and (p_state is null or p_state = case
                 when v_rules.on_lost = 'retry' and tasks.attempt < coalesce(tasks.max_attempts, v_rules.max_attempts)
                 then 'queued' else 'failed' end)
        limit p_limit - cardinality(ids)
        for no key update of tasks skip locked
      ) as lost;
      v_free := v_page.ids;
      if array_remove(v_page.groups, null) <> '{}' then
        v_busy := v_busy || lock_free_groups(v_page.groups, v_now);
        v_free := array(
          select lost.id from unnest(v_page.ids, v_page.groups) as lost (id, names)
          where lost.names is null or not lost.names::text[] && v_busy);
      end if;
      if array_remove(v_page.keys, null) <> '{}' then
        v_free := lock_free_keys(v_lease.queue, v_page.ids, v_page.keys, v_free);
      end if;
      v_seen := v_seen || v_page.ids;
      ids := ids || v_free;
      tokens := tokens || array_fill(v_lease.id, array[cardinality(v_free)]);
      queues := queues || array_fill(v_lease.queue, array[cardinality(v_free)]);
      errors := errors || array_fill(lost_error(v_lease), array[cardinality(v_free)]);
      again := again || array_fill(v_rules.on_lost = 'retry', array[cardinality(v_free)]);
      if v_page.ids = '{}' then
        read := read || v_lease.id;
      end if;
      exit when v_page.ids = '{}' or cardinality(ids) >= p_limit;
    end loop;
  end loop;
end;
$$;

-- held_tasks() — the tasks that a claim names, without those that ended, for a caller that holds its row
--
-- Of a small claim simply those it named. A large one is rescued in many rounds, and each
-- would first pass by all that the rounds before it have ended. So its list is shortened when
-- a tenth of it is over.

create or replace function held_tasks(p_claim claims)
  returns bigint[]
  language plpgsql
as $$
declare
  v_ids bigint[] := claimed_ids(p_claim);
begin
  if cardinality(v_ids) <= 5000 or p_claim.open > 0.9 * cardinality(v_ids) then
    return v_ids;
  end if;
  v_ids := array(
    select tasks.id + n
    from unnest(v_ids) with ordinality as named (id, place)
    join tasks on tasks.id = any (array[named.id]) and tasks.claim = p_claim.id
    cross join lateral generate_series(0, tasks.size - 1) as n
    order by named.place, n
  );
  update claims set tasks = v_ids, sizes = null where id = p_claim.id;
  return v_ids;
end;
$$;

-- lost_error() — what the record of a lost attempt says

create or replace function lost_error(p_claim claims)
  returns jsonb
  language sql
  stable
as $$
  select jsonb_build_object(
    'code', 'lost',
    'message', format('worker "%s" stopped renewing its lease', p_claim.worker),
    'worker', p_claim.worker,
    'lease_expired_at', p_claim.expires_at);
$$;
