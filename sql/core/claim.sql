-- queued → running: how tasks are claimed.

-- is_usual_claim() — whether a claim needs none of the checks that it may fail, nor of its snapshot
--
-- A single expression, so Postgres inlines it.

create or replace function is_usual_claim(
  p_queue text, p_limit integer, p_worker text, p_lease interval, p_handlers text[]
)
  returns boolean
  language sql
  stable
as $$
  select coalesce(
    p_queue not in ('', '*') and p_limit >= 0 and p_lease > interval '0' and p_lease <= interval '250000 years'
      and p_handlers is null and (p_worker is null or length(p_worker) between 1 and bound('name'))
      and current_setting('transaction_isolation') in ('read committed', 'read uncommitted'),
    false);
$$;

-- check_claim() — refuses a claim with invalid arguments

create or replace function check_claim(
  p_queue text, p_limit integer, p_lease interval, p_handlers text[], p_versions_from integer[], p_versions_to integer[]
)
  returns void
  language plpgsql
as $$
begin
  if coalesce(p_queue, '') in ('', '*') then
    perform refuse('TK004', 'claim needs the name of one queue', 'Call claim once per queue.');
  end if;
  if p_limit is null or p_limit < 0 then
    perform refuse('TK004', format('the limit of a claim cannot be %s', coalesce(p_limit::text, 'null')),
                   'Give a limit of 0 or more.');
  end if;
  if p_lease is null or p_lease <= interval '0' then
    perform refuse('TK004', format('a lease cannot last %s', coalesce(p_lease::text, 'null')),
                   'Give an interval such as ''15 seconds''.');
  end if;
  if p_lease > interval '250000 years' then
    perform refuse('TK004', format('a lease of %s leads beyond the calendar', p_lease),
                   'Give an interval such as ''15 seconds''; extend() renews it.');
  end if;
  if p_handlers is not null and (
    cardinality(p_handlers) is distinct from cardinality(p_versions_from)
    or cardinality(p_handlers) is distinct from cardinality(p_versions_to)
  ) then
    perform refuse('TK004', 'each handler needs the first and the last version that it accepts',
                   'Give p_handlers, p_versions_from and p_versions_to with the same number of elements.');
  end if;
end;
$$;

-- claim_tasks() — queued → running, for claim() and claim_fitting(), which have passed the gate
--
-- p_limit counts tasks. Answers one row per pack, with its size (core/packs.sql).
--
-- With p_waits it waits for the rows of groups that others hold at this moment, in their
-- order; without, tasks of such groups are left to later claims. With p_bytes it raises TKFIT
-- when what it picked has more bytes; the detail says how many of the tasks fit. With p_spare it
-- may take so many tasks above p_limit, rather than cut the last pack. With p_line it also hands
-- out up to so many tasks that start after one of the others has ended (core/claim_lines.sql).

create or replace function claim_tasks(
  p_queue           text,
  p_limit           integer,
  p_worker          text,
  p_lease           interval,
  p_kinds           text[],
  p_handlers        text[],
  p_versions_from   integer[],
  p_versions_to     integer[],
  p_from_priorities integer[],
  p_from_times      timestamptz[],
  p_waits           boolean,
  p_bytes           bigint  default null,
  p_spare           integer default 0,
  p_line            integer default 0
)
  returns table (
    id               bigint,
    claim            bigint,
    attempt          integer,
    max_attempts     integer,
    iteration        bigint,
    priority         integer,
    version          integer,
    kind             text,
    queue            text,
    handler          text,
    key              text,
    groups           text[],
    tags             text[],
    parent           bigint,
    created_at       timestamptz,
    run_at           timestamptz,
    deadline         timestamptz,
    timeout          interval,
    lease_expires_at timestamptz,
    meta             jsonb,
    payload          jsonb,
    size             integer,
    follows          boolean
  )
  language plpgsql
as $$
#variable_conflict use_column
declare
  v_now    timestamptz := clock_timestamp();
  v_worker text := coalesce(p_worker, submitter() || ':' || pg_backend_pid());
  v_rules  record;
  v_token  bigint;
  v_tids   tid[];
  v_ids    bigint[];
  v_sizes  integer[];
  v_tasks  integer;
  v_more   record;
  v_frees  boolean := false;
  v_fits   integer;
  v_line   record;
  v_line_ids bigint[];
begin
  select has_grants, paused_at, is_counted, is_fair, is_followed, max_attempts, group_max_running, timeout,
         sql_max_rows, sql_max_bytes
  into v_rules
  from queue_rules(p_queue);
  if v_rules.has_grants then
    perform require_queues('consume', array[p_queue]);
  end if;
  if v_rules.paused_at is not null then
    return;
  end if;
  if v_rules.is_counted then
    if lock_groups(array['@' || p_queue], v_now, p_waits) is null then
      perform set_config('tusk.met_held_group', 'yes', true);
      return;
    end if;
    select least(p_limit, group_room(held, null, null, v_now)) into p_limit
    from groups as held
    where held.name = '@' || p_queue;
    p_spare := 0;
  end if;
  if p_limit = 0 then
    return;
  end if;

  -- Tasks of a fair queue are not packed.
  if v_rules.is_fair then
    select picked.tids, picked.ids into v_tids, v_ids
    from pick_fair_tasks(
      p_queue, p_limit, v_rules.group_max_running, p_kinds, p_handlers, p_versions_from, p_versions_to, p_waits,
      v_now) as picked;
    v_sizes := array_fill(1, array[coalesce(cardinality(v_ids), 0)]);
    v_frees := true;
  end if;
  if coalesce(cardinality(v_tids), 0) < p_limit then
    v_more := pick_tasks(
      p_queue, p_limit - coalesce(cardinality(v_tids), 0), v_rules.group_max_running, p_kinds, p_handlers,
      p_versions_from, p_versions_to, p_from_priorities, p_from_times, p_waits and not v_rules.is_fair, v_now, p_spare);
    v_tids := v_tids || v_more.tids;
    v_ids := v_ids || v_more.ids;
    v_sizes := v_sizes || v_more.sizes;
    v_frees := v_frees or v_more.frees_keys;
  end if;
  -- Another claim takes a part of a pack: the rest of it is there as soon as that commits.
  if cardinality(v_ids) = 0 then
    if wait_for_pack(v_more.held_pack) then
      -- The same for all that follows: has_started_uncounted() knows this claim by it.
      v_now := clock_timestamp();
      v_more := pick_tasks(
        p_queue, p_limit, v_rules.group_max_running, p_kinds, p_handlers, p_versions_from, p_versions_to,
        p_from_priorities, p_from_times, false, v_now, p_spare);
      v_tids := v_more.tids;
      v_ids := v_more.ids;
      v_sizes := v_more.sizes;
      v_frees := v_frees or v_more.frees_keys;
    end if;
  end if;
  v_tasks := cardinality(v_ids);
  if 1 < any (v_sizes) then
    v_tasks := (select sum(size) from unnest(v_sizes) as size);
  end if;
  -- Enqueued by a transaction that did not know that the queue was fair no more. Two
  -- conditions, for the second is a statement.
  if v_tasks < p_limit and not v_rules.is_fair then
    if exists (select from tasks where queue = p_queue and turn is not null) then
      v_more := pick_fair_tasks(
        p_queue, p_limit - v_tasks, v_rules.group_max_running, p_kinds, p_handlers, p_versions_from,
        p_versions_to, false, v_now);
      v_tids := v_tids || v_more.tids;
      v_ids := v_ids || v_more.ids;
      v_sizes := v_sizes || array_fill(1, array[coalesce(cardinality(v_more.ids), 0)]);
      v_tasks := v_tasks + coalesce(cardinality(v_more.ids), 0);
      v_frees := true;
    end if;
  end if;
  if v_tasks < p_limit then
    if exists (select from groups where is_owed) then
      perform unpark_owed_groups();
    end if;
  end if;
  if v_tasks = 0 then
    return;
  end if;
  if p_bytes is not null then
    v_fits := count_tasks_within(v_tids, p_bytes);
    if v_fits < v_tasks then
      raise exception using errcode = 'TKFIT', message = 'too many bytes for one claim', detail = v_fits::text;
    end if;
  end if;
  if v_rules.is_counted then
    perform charge_groups(array['@' || p_queue], array[v_tasks], v_now);
  end if;

  if p_line > 0 and not v_rules.is_fair and not v_rules.is_counted then
    if exists (select from tasks where parked_on is not null) then
      v_line := pick_line(
        p_queue, v_tids, p_line, p_kinds, p_handlers, p_versions_from, p_versions_to, v_now);
      v_tids := v_tids || v_line.tids;
      v_line_ids := v_line.ids;
      v_ids := v_ids || v_line_ids;
      v_sizes := v_sizes || array_fill(1, array[coalesce(cardinality(v_line_ids), 0)]);
      v_tasks := v_tasks + coalesce(cardinality(v_line_ids), 0);
    end if;
  end if;

  insert into claims (queue, worker, claimed_at, expires_at, open, has_uncounted, tasks, sizes, line)
  values (p_queue, v_worker, v_now, v_now + p_lease, v_tasks, has_started_uncounted(v_now), v_ids,
          case when v_tasks > cardinality(v_ids) then v_sizes end, v_line_ids)
  returning id into v_token;
  insert into deltas (queue, claimed) values (p_queue, v_tasks);

  -- In the order in which they were picked, without a sort: the join reads the rows
  -- one by one, as the array names them.
  return query
    update tasks
    set claim   = v_token,
        attempt = tasks.attempt + 1
    from unnest(v_tids) as picked (tid)
    where tasks.ctid = picked.tid
    returning tasks.id, tasks.claim, tasks.attempt, coalesce(tasks.max_attempts, v_rules.max_attempts),
              tasks.iteration, tasks.priority, tasks.version, tasks.kind, tasks.queue, tasks.handler, tasks.key,
              tasks.groups, tasks.tags, tasks.parent, tasks.created_at, tasks.run_at, tasks.deadline,
              coalesce(tasks.timeout, v_rules.timeout), v_now + p_lease, tasks.meta,
              case tasks.kind
                when 'sql' then limit_sql_output(tasks.payload, v_rules.sql_max_rows, v_rules.sql_max_bytes)
                else coalesce(tasks.payload, (select large.payload from payloads as large where large.task = tasks.id))
              end,
              tasks.size, tasks.parked_on is not null;

  if v_frees then
    -- One that another transaction holds is given back when its task ends.
    delete from keys
    where ctid = any (array(
      select keys.ctid
      from tasks
      join keys on keys.queue = any (array[tasks.queue]) and keys.key = any (array[tasks.key]) and keys.task = tasks.id
      where tasks.id = any (v_ids) and tasks.frees_key
      for update of keys skip locked
    ));
  end if;
  if v_rules.is_followed then
    perform record_events('claim', expand_ids(v_ids, v_sizes), array_fill(p_queue, array[v_tasks]));
  end if;
end;
$$;

-- count_claimed() — how many tasks the last claim of this session has, and how many follow, if it answered any row

create or replace function count_claimed(p_rows integer, out tasks integer, out following integer)
  language plpgsql
as $$
declare
  v_claim bigint;
begin
  tasks := 0;
  following := 0;
  if p_rows > 0 then
    -- In a variable: Postgres looks up no index by a volatile function.
    v_claim := currval('claim_ids');
    select open, coalesce(cardinality(line), 0) into tasks, following from claims where id = v_claim;
  end if;
end;
$$;

-- count_tasks_within() — how many of these tasks, from the first on, fit into so many bytes; at least one
--
-- Sizes are those of the JSON that a caller gets: stored values are compressed, up to a
-- hundred times. Read by fifties, so that a claim of large tasks unpacks few of them.

create or replace function count_tasks_within(p_tids tid[], p_bytes bigint)
  returns integer
  language plpgsql
  stable
as $$
declare
  c_chunk constant integer := 50;
  v_bytes bigint := 0;
  v_count integer := 0;
  v_size  bigint;
begin
  for v_from in 1 .. cardinality(p_tids) by c_chunk loop
    for v_size in
      select octet_length((case when tasks.size > 1 then tasks.payload -> n
                                else coalesce(tasks.payload, large.payload) end)::text)
        + coalesce(octet_length(tasks.meta::text), 0)
      from unnest(p_tids[v_from : v_from + c_chunk - 1]) with ordinality as given (tid, place)
      join tasks on tasks.ctid = given.tid
      left join payloads as large on large.task = any (array[tasks.id]) and tasks.payload is null
      cross join lateral generate_series(0, tasks.size - 1) as n
      order by given.place, n
    loop
      v_bytes := v_bytes + v_size;
      if v_bytes > p_bytes and v_count > 0 then
        return v_count;
      end if;
      v_count := v_count + 1;
    end loop;
  end loop;
  return v_count;
end;
$$;
