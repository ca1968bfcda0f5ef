-- queued | running → done | failed | cancelled: how tasks end. Every way out leads here.

-- end_tasks() — queued | running → done | failed | cancelled, or gone
--
-- The rows leave tasks and their story enters finished, or is forgotten where the queue
-- keeps nothing of that outcome; then the keys, the claims and the slots they held are given
-- back. Only tasks that still hold the claim they are named with (null: queued) are touched;
-- their ids come back. Without a state the tasks are deleted and nothing is kept.
--
-- p_right is the right on their queues that the caller must have. p_records_attempt: the
-- attempts that end with the tasks are still to be written down; end_attempts() has done so.
--
-- With p_sizes the ids name packs as a claim gave them out (core/packs.sql); outputs are then
-- arrays. A pack that is one no more, because one of its tasks was dealt with in the meantime,
-- is ended task by task. So is a pack of which only some tasks are named: it is split.
--
-- What depends on a claim or a queue alone is looked up once per claim, not once per task.
-- One task alone is looked up without counting: that takes a third less. What is known of it from v_one and
-- the arguments is put into no array before that is needed: PL/pgSQL unpacks every array that it assigns.

create or replace function end_tasks(
  p_ids         bigint[],
  p_claims      bigint[],
  p_state       text,
  p_reasons     text[]        default null,
  p_outputs     jsonb[]       default null,
  p_errors      jsonb[]       default null,
  p_started_ats timestamptz[] default null,
  p_right       text          default null,
  p_records_attempt boolean   default false,
  p_sizes       integer[]     default null
)
  returns bigint[]
  language plpgsql
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_now     timestamptz := clock_timestamp();
  v_many    boolean := cardinality(p_ids) <> 1 or p_sizes is not null;
  v_one     tasks;
  v_tasks   tasks[];
  v_places  integer[];
  v_ids     bigint[];
  v_claims  bigint[];
  v_queues  text[];
  v_keys    text[];
  v_groups  text[];
  v_workers text[];
  v_claimed timestamptz[];
  v_begun   timestamptz[];
  v_keeps   interval[];
  v_sizes   integer[];
  -- The tasks of the rows, where a row has several.
  v_members bigint[];
  v_rules   record;
  v_is_followed boolean;
  v_has_grants  boolean;
  v_is_limited  boolean;
  v_keeps_keys  boolean;
  v_open        integer;
  v_kept        boolean[];
  v_waited  boolean;
  v_awaited boolean;
  v_is_keyed boolean;
  v_missing record;
  v_named   integer := 0;
  v_all     integer[];
begin
  -- The loop below finds the tasks of a pack that was split only in its second round, with other rows in hand. So
  -- here all rows are locked in order, as set_group() and set_queue() lock the tasks that run.
  if p_sizes is not null then
    if exists (
      select from unnest(p_ids, p_sizes) as told (id, size)
      where size > 1
        and not exists (select from tasks where tasks.id = any (array[told.id]) and tasks.size = told.size)
    ) then
      perform from tasks
      where id = any (expand_ids(p_ids, p_sizes)) and claim = any (p_claims)
      order by id
      for no key update;
    end if;
  end if;
  if not v_many then
    delete from tasks where id = p_ids[1] and claim is not distinct from p_claims[1] and size = 1
    returning * into v_one;
    if found then
      v_tasks := array[v_one];
      v_places := '{1}';
    end if;
  end if;
  -- In a second round what was named and is in a pack, which is split first. All of them are then ended in one
  -- go, so that groups and queues are locked in one order.
  loop
    exit when not v_many and v_tasks is not null;
    -- any (array[…]) wherever rows are named one by one: a planner that expects an empty
    -- table must not read it from end to end (docs/decisions/0008).
    if v_many then
      with ended as (
        delete from tasks
        using (select i from generate_subscripts(p_ids, 1) as i where i > v_named order by p_ids[i]) as told
        where tasks.id = any (array[p_ids[i]]) and tasks.claim is not distinct from p_claims[i]
          and tasks.size = coalesce(p_sizes[i], 1)
        returning tasks, i
      )
      select v_tasks || array_agg(tasks), v_places || array_agg(i) into v_tasks, v_places from ended;
    end if;
    exit when v_named > 0 or cardinality(p_ids) = cardinality(v_tasks);
    v_missing := find_in_packs(p_ids, p_claims, p_sizes, v_places);
    exit when v_missing.ids is null;
    v_many := true;
    v_named := cardinality(p_ids);
    v_all := array(select generate_series(1, v_named)) || v_missing.places;
    p_ids := p_ids || v_missing.ids;
    p_claims := p_claims || v_missing.claims;
    p_reasons := array(select p_reasons[i] from unnest(v_all) as i);
    p_errors := array(select p_errors[i] from unnest(v_all) as i);
    p_started_ats := array(select p_started_ats[i] from unnest(v_all) as i);
    p_outputs := array(select p_outputs[i] from generate_series(1, v_named) as i) || array(
      select case when p_sizes[i] > 1 then nullif(p_outputs[i] -> n, 'null') else p_outputs[i] end
      from unnest(v_missing.places, v_missing.members) as member (i, n));
    p_sizes := p_sizes || array_fill(1, array[cardinality(v_missing.ids)]);
  end loop;
  if v_tasks is null then
    return '{}';
  end if;

  -- Asked only now, with the tasks in hand: start_counting() leaves out what it finds
  -- locked, and must not be overtaken.
  if v_many then
    select array_agg(claims.id) as claims, array_agg(claims.worker) as workers,
           array_agg(claims.claimed_at) as claimed_ats,
           array_agg(case p_state when 'done' then rules.keep_done when 'failed' then rules.keep_failed
                                  else rules.keep_cancelled end) as keeps,
           bool_or(rules.is_followed) as is_followed, bool_or(rules.has_grants) as has_grants
    into v_rules
    from claims
    cross join lateral queue_rules(claims.queue) as rules
    where claims.id = any (array(select distinct unnest(p_claims)));
    select array_agg(id), array_agg(claim), array_agg(queue), array_agg(key),
           array_agg(case when parked_on is null then groups::text end),
           array_agg(v_rules.workers[array_position(v_rules.claims, claim)]),
           array_agg(v_rules.claimed_ats[array_position(v_rules.claims, claim)]),
           array_agg(coalesce(plausible_time(p_started_ats[v_places[ordinality]]), started_at,
                              v_rules.claimed_ats[array_position(v_rules.claims, claim)])),
           array_agg(
             coalesce(retention, v_rules.keeps[array_position(v_rules.claims, claim)], keep_for(queue, p_state))),
           array_agg(size), bool_or(is_awaited)
    into v_ids, v_claims, v_queues, v_keys, v_groups, v_workers, v_claimed, v_begun, v_keeps, v_sizes, v_awaited
    from unnest(v_tasks) with ordinality;
    v_is_followed := v_rules.is_followed;
    v_has_grants := v_rules.has_grants;
    v_is_limited := true;
  else
    select array[claims.worker], array[claims.claimed_at],
           array[coalesce(plausible_time(p_started_ats[1]), v_one.started_at, claims.claimed_at)],
           array[coalesce(v_one.retention,
                          case p_state when 'done' then rules.keep_done when 'failed' then rules.keep_failed
                                                        else rules.keep_cancelled end)],
           rules.is_followed, rules.has_grants, v_one.groups is not null or rules.is_counted, rules.keeps_keys,
           claims.open
    into v_workers, v_claimed, v_begun, v_keeps, v_is_followed, v_has_grants, v_is_limited, v_keeps_keys, v_open
    from queue_rules(v_one.queue) as rules
    left join claims on claims.id = v_one.claim;
  end if;
  if p_right is not null and v_has_grants then
    perform require_queues(p_right, coalesce(v_queues, array[v_one.queue]));
  end if;

  insert into finished (
    id, created_at, run_at, started_at, finished_at, keep_until, deadline, parent, iteration, size,
    priority, version, attempt, max_attempts, max_running, frees_key, timeout, retention, state, reason, kind, queue,
    key, handler, submitted_by, worker, claimed_at, groups, tags, backoff, meta, payload, output, error
  )
  select task.id, task.created_at, task.run_at, v_begun[task.ordinality], v_now, v_now + v_keeps[task.ordinality],
         task.deadline, task.parent, task.iteration, task.size, task.priority, task.version, task.attempt,
         task.max_attempts, task.max_running, task.frees_key, task.timeout, task.retention, p_state,
         p_reasons[v_places[task.ordinality]],
         task.kind, task.queue, task.key, task.handler, task.submitted_by, v_workers[task.ordinality],
         v_claimed[task.ordinality], task.groups, task.tags, task.backoff, task.meta, task.payload,
         p_outputs[v_places[task.ordinality]], p_errors[v_places[task.ordinality]]
  from unnest(v_tasks) with ordinality as task
  where p_state is not null and v_keeps[task.ordinality] > interval '0';

  if v_many then
    insert into deltas (queue, done, failed, cancelled, due_ats, started_ats, sizes)
    select queue, case when p_state = 'done' then sum(size) else 0 end,
           case when p_state = 'failed' then sum(size) else 0 end,
           case when coalesce(p_state, 'cancelled') = 'cancelled' then sum(size) else 0 end,
           array_agg(run_at), array_agg(v_begun[ordinality]), case when max(size) > 1 then array_agg(size) end
    from unnest(v_tasks) with ordinality
    group by queue;
    v_is_keyed := array_remove(v_keys, null) <> '{}';
    if 1 < any (v_sizes) then
      v_members := expand_ids(v_ids, v_sizes);
    end if;
    v_waited := exists (select from waiters)
      and exists (select from waiters where task = any (coalesce(v_members, v_ids)));
  else
    insert into deltas (queue, done, failed, cancelled, due_ats, started_ats)
    values (v_one.queue, (p_state is not distinct from 'done')::integer,
            (p_state is not distinct from 'failed')::integer,
            (coalesce(p_state, 'cancelled') = 'cancelled')::integer, array[v_one.run_at], v_begun)
    returning exists (select from waiters where task = v_one.id) into v_waited;
  end if;

  -- Rare cases are asked for together: to prepare a condition, once per transaction, takes longer than to test it.
  if p_records_attempt or v_is_keyed or v_one.key is not null or p_state is null or interval '0' >= any (v_keeps) then
    if p_records_attempt then
      if v_many then
        p_reasons := array(select p_reasons[i] from unnest(v_places) as i);
        p_errors := array(select p_errors[i] from unnest(v_places) as i);
      end if;
      perform record_attempts(v_tasks, v_workers, v_begun, p_reasons, p_errors, v_now);
    end if;
    if v_is_keyed or v_one.key is not null then
      if p_state is not null then
        for i in 1 .. cardinality(v_keeps) loop
          v_kept[i] := v_keeps[i] > interval '0';
        end loop;
      end if;
      perform free_keys(
        coalesce(v_ids, p_ids), coalesce(v_queues, array[v_one.queue]), coalesce(v_keys, array[v_one.key]), v_kept,
        v_now, v_keeps_keys);
    end if;
    if p_state is null or interval '0' >= any (v_keeps) then
      perform delete_traces(array(
        select ended.id + n
        from unnest(coalesce(v_ids, p_ids), v_keeps, v_sizes) as ended (id, keep, size)
        cross join lateral generate_series(0, coalesce(ended.size, 1) - 1) as n
        where p_state is null or ended.keep <= interval '0'));
    end if;
  end if;
  perform close_claims(coalesce(v_claims, p_claims), v_sizes, v_open);
  if v_is_limited or v_is_followed or v_waited or v_awaited or v_one.is_awaited
     or array_position(coalesce(v_claims, p_claims), null) is not null then
    if v_is_limited then
      perform free_slots(
        coalesce(v_claims, p_claims), coalesce(v_queues, array[v_one.queue]),
        coalesce(v_groups, array[case when v_one.parked_on is null then v_one.groups::text end]), v_now, v_sizes);
    end if;
    if v_is_followed or array_position(coalesce(v_claims, p_claims), null) is not null then
      perform record_events(
        case p_state when 'done' then 'complete' when 'failed' then 'fail'
             when 'cancelled' then 'cancel' else 'delete' end,
        coalesce(v_members, v_ids, p_ids),
        repeat_names(coalesce(v_queues, array[v_one.queue]), v_sizes));
    end if;
    if v_waited then
      perform notify_waiters(coalesce(v_members, v_ids, p_ids));
    end if;
    if v_awaited or v_one.is_awaited then
      perform settle_awaited(
        array(select id from unnest(v_tasks)), p_state,
        array(select p_outputs[i] from unnest(v_places) as i), array(select p_errors[i] from unnest(v_places) as i));
    end if;
  end if;
  return coalesce(v_members, v_ids, p_ids);
end;
$$;

-- find_in_packs() — the tasks that end_tasks() did not find as rows of the given size, as rows of their own
--
-- p_found are the places of those it did find. Packs that have such tasks are split. Null when
-- none can be found: then they are not held by their claim any more. `members` counts the
-- tasks of a pack from 0.

create or replace function find_in_packs(
  p_ids bigint[], p_claims bigint[], p_sizes integer[], p_found integer[],
  out ids bigint[], out claims bigint[], out places integer[], out members integer[]
)
  language plpgsql
as $$
begin
  select array_agg(p_ids[i] + n), array_agg(p_claims[i]), array_agg(i), array_agg(n)
  into ids, claims, places, members
  from generate_subscripts(p_ids, 1) as i
  cross join lateral generate_series(0, coalesce(p_sizes[i], 1) - 1) as n
  where i <> all (coalesce(p_found, '{}'));
  perform split_live_packs(ids);
  -- By a statement of its own: it sees what other transactions have split meanwhile.
  select array_agg(told.id), array_agg(told.claim), array_agg(told.place), array_agg(told.member)
  into ids, claims, places, members
  from unnest(ids, claims, places, members) as told (id, claim, place, member)
  join tasks on tasks.id = any (array[told.id]) and tasks.claim is not distinct from told.claim and tasks.size = 1;
end;
$$;

-- delete_traces() — removes what tasks that are not kept left elsewhere

create or replace function delete_traces(p_ids bigint[])
  returns void
  language plpgsql
as $$
begin
  delete from attempts where task = any (p_ids);
  delete from logs where task = any (p_ids);
  delete from payloads where task = any (p_ids);
  perform delete_durable_traces(p_ids);
end;
$$;

-- keep_for() — how long a queue keeps tasks that ended in this state
--
-- For tasks that no worker held: of the others the claim knows the queue.

create or replace function keep_for(p_queue text, p_state text)
  returns interval
  language plpgsql
  stable
as $$
begin
  return (
    select case p_state when 'done' then keep_done when 'failed' then keep_failed else keep_cancelled end
    from queue_rules(p_queue));
end;
$$;
