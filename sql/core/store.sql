-- → queued: how tasks are stored. Every way in leads here.

-- store_tasks() — checks tasks, takes their keys and stores them; answers in their order
--
-- All or nothing: a task that cannot be stored refuses the whole call. An outcome is created
-- or, for a key that is taken, what on_duplicate made of it; then the id is that of the task
-- which holds the key. `outcomes` is null when all were created.
--
-- With p_packs, tasks that are alike may share a row (core/packs.sql). With p_sizes, an element
-- stands for so many tasks that are alike, and its payload is an array with the payload of each.
--
-- p_is_checked: the caller has checked the tasks, or they were stored before. p_by is in
-- whose name they are stored. With p_ids they come back under ids of their own, which hold
-- their keys already; p_created_at and p_iteration are what else they bring along.

create or replace function store_tasks(
  p_tasks      new_task[],
  p_is_checked boolean     default false,
  p_by         text        default null,
  p_ids        bigint[]    default null,
  p_created_at timestamptz default null,
  p_iteration  bigint      default 0,
  p_event      text        default 'enqueue',
  p_packs      boolean     default false,
  p_sizes      integer[]   default null,
  out ids      bigint[],
  out outcomes text[]
)
  language plpgsql
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_now        timestamptz := clock_timestamp();
  v_by         text := coalesce(p_by, submitter());
  v_many       boolean := cardinality(p_tasks) <> 1 or p_sizes is not null;
  v_one        new_task := p_tasks[1];
  -- What holds of the queues, and what is used of them; of one task, v_one says the latter.
  v_has_grants    boolean;
  v_is_followed   boolean;
  v_keeps_keys    boolean;
  v_is_large      boolean;
  v_has_large     boolean;
  v_has_lanes     boolean;
  v_has_packs     boolean;
  v_has_sleepers  boolean;
  v_is_sql        boolean;
  v_is_keyed      boolean;
  v_is_grouped    boolean;
  v_has_after     boolean;
  v_fair_queues   text[];
  v_keeping_queues text[];
  v_packing_queues text[];
  v_queues     text[];
  v_priorities integer[];
  v_known      bigint[];
  v_parked     text[];
  v_turns      text[];
  v_beside     boolean[];
  -- The rows to insert, where they are not the tasks as they are: those that their keys let in, or packs.
  v_rows       new_task[];
  v_row_ids    bigint[];
  v_sizes      integer[];
  v_payloads   jsonb[];
begin
  if v_many then
    if cardinality(p_tasks) = 0 then
      ids := '{}';
      return;
    end if;
    if p_sizes is not null then
      if not are_packs(p_tasks, p_sizes, v_now) then
        select stored.ids, stored.outcomes into ids, outcomes
        from store_tasks(unbundle_tasks(p_tasks, p_sizes), p_by => p_by, p_packs => p_packs) as stored;
        return;
      end if;
      p_is_checked := true;
    end if;
  end if;
  -- A first look at one task, which nearly none fails; see may_have_fault().
  if not p_is_checked and (
    v_many or may_have_fault(v_one.queue, v_one.payload, v_one.kind, v_one.handler, v_one.key, v_one.version,
                             v_one.run_at)
    or num_nonnulls(
      v_one.deadline, v_one.on_duplicate, v_one."window", v_one.max_attempts, v_one.max_running, v_one.timeout,
      v_one.retention, v_one.groups, v_one.tags, v_one.backoff, v_one.meta, v_one.after, v_one.after_failure) > 0
  ) then
    -- Not yet check_tasks(), so that one task does not pay for its messages.
    if v_many or v_one.kind = 'sql' or fault_code(v_one, v_now) is not null
       or pg_column_size(v_one.meta) > bound('meta') then
      perform check_tasks(p_tasks, v_by, v_now);
    end if;
  end if;

  -- Which queues and priorities are used, and what holds there. Of one task that is known
  -- without counting, which takes a third off the time to store it.
  if v_many then
    select bool_or(rules.has_grants), bool_or(rules.is_followed), max(used.largest) > min(rules.max_payload),
           max(used.largest) > largest_row_payload(), bool_or(used.has_after),
           bool_or(used.is_keyed), bool_or(used.is_grouped), bool_or(used.is_sql),
           array_agg(used.queue) filter (where rules.is_fair),
           array_agg(used.queue) filter (where rules.keeps_keys),
           array_agg(used.queue) filter (where rules.packs and not rules.is_fair),
           array_agg(used.queue), array_agg(used.priority),
           bool_and(exists (
             select from lanes
             where queue = used.queue and priority = used.priority and closing_by is null)),
           bool_and(exists (
             select from lanes
             where queue = used.queue and priority = used.priority and closing_by is null and has_packs)),
           bool_or(exists (select from sleepers where queue = used.queue))
    into v_has_grants, v_is_followed, v_is_large, v_has_large, v_has_after, v_is_keyed, v_is_grouped, v_is_sql,
         v_fair_queues, v_keeping_queues, v_packing_queues, v_queues, v_priorities, v_has_lanes, v_has_packs,
         v_has_sleepers
    from (
      select queue, coalesce(priority, 0) as priority, max(pg_column_size(payload)) as largest,
             bool_or(key is not null) as is_keyed, bool_or(groups is not null) as is_grouped,
             bool_or(kind = 'sql') as is_sql, bool_or(after is not null) as has_after
      from unnest(p_tasks)
      group by 1, 2
    ) as used
    cross join lateral queue_rules(used.queue) as rules;
    if p_sizes is not null and (v_is_large or (v_packing_queues @> v_queues) is not true) then
      select stored.ids, stored.outcomes into ids, outcomes
      from store_tasks(unbundle_tasks(p_tasks, p_sizes), p_by => p_by, p_packs => p_packs) as stored;
      return;
    end if;
  else
    select rules.has_grants, rules.is_followed, rules.keeps_keys,
           pg_column_size(v_one.payload) > rules.max_payload,
           pg_column_size(v_one.payload) > largest_row_payload(),
           case when rules.is_fair then array[v_one.queue] end,
           exists (
             select from lanes
             where queue = v_one.queue and priority = coalesce(v_one.priority, 0) and closing_by is null),
           exists (select from sleepers where queue = v_one.queue)
    into v_has_grants, v_is_followed, v_keeps_keys, v_is_large, v_has_large, v_fair_queues, v_has_lanes, v_has_sleepers
    from queue_rules(v_one.queue) as rules;
  end if;
  -- Rare cases are asked for together, here and below: a condition is prepared once per transaction, which
  -- takes longer than to test it.
  if v_has_grants or v_is_large or v_is_sql or v_one.kind = 'sql' then
    if v_has_grants then
      perform require_rights(p_tasks);
    end if;
    if v_is_large and not p_is_checked then
      perform check_payloads(array(select queue from unnest(p_tasks)), array(select payload from unnest(p_tasks)));
    end if;
    if (v_is_sql or v_one.kind = 'sql') and not p_is_checked then
      for i in 1 .. cardinality(p_tasks) loop
        if (p_tasks[i]).kind = 'sql' then
          p_tasks[i].payload := sql_payload((p_tasks[i]).payload, v_by);
        end if;
      end loop;
    end if;
  end if;

  if p_ids is not null then
    ids := p_ids;
  elsif v_many then
    if v_is_keyed then
      select taken.ids, taken.outcomes, taken.known into ids, outcomes, v_known
      from take_keys(p_tasks, v_keeping_queues, v_now) as taken;
    elsif p_sizes is not null then
      ids := array(select nextval('task_ids') from generate_series(1, (select sum(size) from unnest(p_sizes) as size)));
    else
      ids := array(select nextval('task_ids') from generate_subscripts(p_tasks, 1));
    end if;
  else
    -- Not in one expression with the above: without a query in it, it would not be a statement.
    ids := array[nextval('task_ids')];
    if v_one.key is not null then
      insert into keys (queue, key, task, until)
      values (v_one.queue, v_one.key, ids[1],
              key_until(v_one.on_duplicate, v_one."window", v_keeps_keys, v_now))
      on conflict (queue, key) do nothing;
      if not found then
        outcomes := '{taken}';
      end if;
    end if;
  end if;
  if v_many or v_one.key is not null or v_one.groups is not null or v_fair_queues is not null or v_has_large then
    if outcomes is not null then
      v_rows := array(select p_tasks[i] from generate_subscripts(p_tasks, 1) as i where outcomes[i] = 'created');
      v_row_ids := array(select ids[i] from generate_subscripts(ids, 1) as i where outcomes[i] = 'created');
    end if;
    if v_is_grouped or v_one.groups is not null then
      v_parked := find_parked_places(coalesce(v_rows, p_tasks), v_now);
    elsif p_sizes is not null then
      select packed.tasks, packed.ids, packed.sizes into v_rows, v_row_ids, v_sizes
      from lay_out_packs(p_tasks, p_sizes, ids) as packed;
    elsif v_many and p_packs and not v_is_keyed then
      if v_packing_queues is not null and cardinality(v_queues) < cardinality(p_tasks) then
        select packed.tasks, packed.ids, packed.sizes, packed.payloads, packed.task_ids
        into v_rows, v_row_ids, v_sizes, v_payloads, ids
        from pack_tasks(p_tasks, ids, v_packing_queues) as packed;
      end if;
    end if;
    if v_fair_queues is not null then
      select array_agg(case when task.queue = any (v_fair_queues) then coalesce(task.groups[1], '') end),
             array_agg(case when task.queue = any (v_fair_queues) then null else v_parked[task.ordinality] end)
      into v_turns, v_parked
      from unnest(coalesce(v_rows, p_tasks)) with ordinality as task;
    end if;
    if v_has_large then
      v_beside := array(select has_large_payload(kind, payload) from unnest(coalesce(v_rows, p_tasks)));
    end if;
  end if;
  insert into tasks (
    id, created_at, run_at, deadline, parent, iteration, size, priority, version, max_attempts, max_running, frees_key,
    timeout, retention, kind, queue, parked_on, turn, key, handler, submitted_by, groups, tags, backoff, meta, payload
  )
  select (coalesce(v_row_ids, ids))[task.ordinality], coalesce(p_created_at, v_now),
         coalesce(task.run_at, v_now + case when task.on_duplicate = 'debounce' then task."window" end, v_now),
         task.deadline, task.parent, p_iteration, coalesce(v_sizes[task.ordinality], 1),
         coalesce(task.priority, 0), coalesce(task.version, 1), task.max_attempts,
         task.max_running, task.frees_key, task.timeout, task.retention, coalesce(task.kind, 'handler'), task.queue,
         v_parked[task.ordinality], v_turns[task.ordinality], task.key,
         case when coalesce(task.kind, 'handler') = 'handler' then coalesce(task.handler, task.queue)
              else task.handler end,
         v_by, task.groups, task.tags, task.backoff, task.meta,
         case when v_beside[task.ordinality] then null
              else coalesce(v_payloads[task.ordinality], task.payload) end
  from unnest(coalesce(v_rows, p_tasks)) with ordinality as task;
  if v_has_large or v_has_after or v_one.after is not null then
    if v_has_large then
      insert into payloads (task, payload)
      select (coalesce(v_row_ids, ids))[task.ordinality], task.payload
      from unnest(coalesce(v_rows, p_tasks)) with ordinality as task
      where v_beside[task.ordinality];
    end if;
    if v_has_after or v_one.after is not null then
      perform store_after(p_tasks, ids, outcomes);
    end if;
  end if;

  if v_many or outcomes is not null then
    insert into deltas (queue, enqueued)
    select task.queue, sum(coalesce(p_sizes[task.ordinality], 1))
    from unnest(p_tasks) with ordinality as task
    where outcomes is null or outcomes[task.ordinality] = 'created'
    group by task.queue;
  else
    insert into deltas (queue, enqueued) values (v_one.queue, 1);
  end if;
  if v_has_lanes and not v_is_followed and not v_has_sleepers and outcomes is null and v_sizes is null
     and current_setting('transaction_isolation') in ('read committed', 'read uncommitted') then
    return;
  end if;
  -- Asked of packs alone, which only many tasks can be.
  if v_sizes is not null then
    v_has_lanes := v_has_packs;
  end if;
  if not v_has_lanes
     or current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    perform open_lanes(
      coalesce(v_queues, array[v_one.queue]), coalesce(v_priorities, array[v_one.priority]), v_sizes is not null);
  end if;
  if outcomes is not null then
    select resolved.ids, resolved.outcomes into ids, outcomes
    from resolve_duplicates(p_tasks, ids, outcomes, v_known, v_by, v_now) as resolved;
  end if;
  if v_is_followed then
    perform record_events(p_event, ids, repeat_names(array(select queue from unnest(p_tasks)), p_sizes), outcomes);
  end if;
  -- A task that its key kept out needs no worker to be woken.
  if v_has_sleepers then
    if (outcomes <@ '{kept,throttled}') is not true then
      perform wake_workers(
        coalesce(v_queues, array[v_one.queue]),
        coalesce((select min(coalesce(run_at, v_now)) from unnest(p_tasks)), v_now));
    end if;
  end if;
end;
$$;

-- require_rights() — refuses tasks that their caller may not enqueue, by their queues and groups

create or replace function require_rights(p_tasks new_task[])
  returns void
  language plpgsql
as $$
begin
  perform require_queues('enqueue', array(select queue from unnest(p_tasks)));
  perform require_groups('enqueue', array(
    select distinct named.name
    from unnest(p_tasks) as task
    cross join lateral unnest(task.groups) as named (name)));
end;
$$;
