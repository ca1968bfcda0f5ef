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
  v_count      integer := cardinality(p_tasks);
  v_many       boolean := v_count > 1 or p_sizes is not null;
  v_one        new_task := p_tasks[1];
  v_is_keyed   boolean := v_one.key is not null;
  v_is_grouped boolean := v_one.groups is not null;
  v_is_sql     boolean := v_one.kind = 'sql';
  v_has_after  boolean := v_one.after is not null;
  v_use        record;
  v_queues     text[];
  v_priorities integer[];
  v_known      bigint[];
  v_parked     text[];
  -- The rows to insert, where they are not the tasks as they are: those that their keys let in, or packs.
  v_rows       new_task[];
  v_row_ids    bigint[];
  v_sizes      integer[];
  v_payloads   jsonb[];
begin
  if v_count = 0 then
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
  -- Asked here of one task, so that it does not pay for a call.
  if not p_is_checked and (v_many or v_is_sql or fault_code(v_one, v_now) is not null
                           or pg_column_size(v_one.meta) > bound('meta')) then
    perform check_tasks(p_tasks, v_by, v_now);
  end if;

  -- Which queues and priorities are used, and what holds there. Of one task that is known
  -- without counting, which takes a third off the time to store it.
  if v_many then
    select bool_or(rules.has_grants) as has_grants, bool_or(rules.is_followed) as is_followed,
           max(used.largest) > min(rules.max_payload) as is_large,
           max(used.largest) > largest_row_payload() as has_large,
           bool_or(used.has_after) as has_after,
           bool_or(used.is_keyed) as is_keyed, bool_or(used.is_grouped) as is_grouped, bool_or(used.is_sql) as is_sql,
           array_agg(used.queue) filter (where rules.is_fair) as fair_queues,
           array_agg(used.queue) filter (where rules.keeps_keys) as keeping_queues,
           array_agg(used.queue) filter (where rules.packs and not rules.is_fair) as packing_queues,
           array_agg(used.queue) as queues, array_agg(used.priority) as priorities,
           bool_and(exists (
             select from lanes
             where queue = used.queue and priority = used.priority and closing_by is null)) as has_lanes,
           bool_and(exists (
             select from lanes
             where queue = used.queue and priority = used.priority and closing_by is null and has_packs)) as has_packs,
           bool_or(exists (select from sleepers where queue = used.queue)) as has_sleepers
    into v_use
    from (
      select queue, coalesce(priority, 0) as priority, max(pg_column_size(payload)) as largest,
             bool_or(key is not null) as is_keyed, bool_or(groups is not null) as is_grouped,
             bool_or(kind = 'sql') as is_sql, bool_or(after is not null) as has_after
      from unnest(p_tasks)
      group by 1, 2
    ) as used
    cross join lateral queue_rules(used.queue) as rules;
    v_queues := v_use.queues;
    v_priorities := v_use.priorities;
    v_is_keyed := v_use.is_keyed;
    v_is_grouped := v_use.is_grouped;
    v_is_sql := v_use.is_sql;
    v_has_after := v_use.has_after;
  else
    select rules.has_grants, rules.is_followed, rules.keeps_keys,
           pg_column_size(v_one.payload) > rules.max_payload as is_large,
           pg_column_size(v_one.payload) > largest_row_payload() as has_large,
           case when rules.is_fair then array[v_one.queue] end as fair_queues,
           -- What only many tasks are asked for: a record has the same columns on both ways.
           null::text[] as keeping_queues, null::text[] as packing_queues, true as has_packs,
           exists (
             select from lanes
             where queue = v_one.queue and priority = coalesce(v_one.priority, 0) and closing_by is null) as has_lanes,
           exists (select from sleepers where queue = v_one.queue) as has_sleepers
    into v_use
    from queue_rules(v_one.queue) as rules;
  end if;
  if p_sizes is not null and (v_use.is_large or (v_use.packing_queues @> v_queues) is not true) then
    select stored.ids, stored.outcomes into ids, outcomes
    from store_tasks(unbundle_tasks(p_tasks, p_sizes), p_by => p_by, p_packs => p_packs) as stored;
    return;
  end if;
  if v_use.has_grants then
    perform require_rights(p_tasks);
  end if;
  if v_use.is_large and not p_is_checked then
    perform check_payloads(array(select queue from unnest(p_tasks)), array(select payload from unnest(p_tasks)));
  end if;
  if v_is_sql and not p_is_checked then
    for i in 1 .. v_count loop
      if (p_tasks[i]).kind = 'sql' then
        p_tasks[i].payload := sql_payload((p_tasks[i]).payload, v_by);
      end if;
    end loop;
  end if;

  ids := p_ids;
  if ids is null and v_many and v_is_keyed then
    select taken.ids, taken.outcomes, taken.known into ids, outcomes, v_known
    from take_keys(p_tasks, v_use.keeping_queues, v_now) as taken;
  elsif p_sizes is not null then
    ids := array(select nextval('task_ids') from generate_series(1, (select sum(size) from unnest(p_sizes) as size)));
  elsif ids is null and v_many then
    ids := array(select nextval('task_ids') from generate_subscripts(p_tasks, 1));
  elsif ids is null then
    -- Not in one expression with the above: without a query in it, it would not be a statement.
    ids := array[nextval('task_ids')];
    if v_is_keyed then
      insert into keys (queue, key, task, until)
      values (v_one.queue, v_one.key, ids[1],
              key_until(v_one.on_duplicate, v_one."window", v_use.keeps_keys, v_now))
      on conflict (queue, key) do nothing;
      if not found then
        outcomes := '{taken}';
      end if;
    end if;
  end if;
  if outcomes is not null then
    v_rows := array(select p_tasks[i] from generate_subscripts(p_tasks, 1) as i where outcomes[i] = 'created');
    v_row_ids := array(select ids[i] from generate_subscripts(ids, 1) as i where outcomes[i] = 'created');
  end if;
  if v_is_grouped then
    v_parked := find_parked_places(coalesce(v_rows, p_tasks), v_now);
  elsif p_sizes is not null then
    select packed.tasks, packed.ids, packed.sizes into v_rows, v_row_ids, v_sizes
    from lay_out_packs(p_tasks, p_sizes, ids) as packed;
  elsif v_many and p_packs and not v_is_keyed then
    if v_use.packing_queues is not null and cardinality(v_queues) < v_count then
      select packed.tasks, packed.ids, packed.sizes, packed.payloads, packed.task_ids
      into v_rows, v_row_ids, v_sizes, v_payloads, ids
      from pack_tasks(p_tasks, ids, v_use.packing_queues) as packed;
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
         case when task.queue = any (v_use.fair_queues) then null else v_parked[task.ordinality] end,
         case when task.queue = any (v_use.fair_queues) then coalesce(task.groups[1], '') end,
         task.key,
         case when coalesce(task.kind, 'handler') = 'handler' then coalesce(task.handler, task.queue)
              else task.handler end,
         v_by, task.groups, task.tags, task.backoff, task.meta,
         case when v_use.has_large and has_large_payload(task.kind, task.payload) then null
              else coalesce(v_payloads[task.ordinality], task.payload) end
  from unnest(coalesce(v_rows, p_tasks)) with ordinality as task;
  if v_use.has_large then
    insert into payloads (task, payload)
    select (coalesce(v_row_ids, ids))[task.ordinality], task.payload
    from unnest(coalesce(v_rows, p_tasks)) with ordinality as task
    where has_large_payload(task.kind, task.payload);
  end if;

  if v_has_after then
    perform store_after(p_tasks, ids, outcomes);
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
  -- Asked of packs alone, which only many tasks can be.
  if v_sizes is not null then
    v_use.has_lanes := v_use.has_packs;
  end if;
  if not v_use.has_lanes
     or current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    perform open_lanes(
      coalesce(v_queues, array[v_one.queue]), coalesce(v_priorities, array[v_one.priority]), v_sizes is not null);
  end if;
  if outcomes is not null then
    select resolved.ids, resolved.outcomes into ids, outcomes
    from resolve_duplicates(p_tasks, ids, outcomes, v_known, v_by, v_now) as resolved;
  end if;
  if v_use.is_followed then
    perform record_events(p_event, ids, repeat_names(array(select queue from unnest(p_tasks)), p_sizes), outcomes);
  end if;
  -- A task that its key kept out needs no worker to be woken.
  if v_use.has_sleepers then
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
