-- Packs: rows that stand for several tasks.
--
-- A row of tasks or finished is a pack of one or more tasks that differ in their payload (and
-- output) only. They have consecutive ids. A pack is stored, claimed, completed and kept as
-- one row, which takes a third of the time that as many rows would take (docs/decisions/0027).
-- Code that names one task of a larger pack splits it first, and then deals with a row of its own.
--
-- Packs are made when tasks are stored, and never grow. So a look-up by id reads the row with
-- the highest id up to the one it looks for: that row has the task, or there is no such task.

-- pack_tasks() — which tasks of a bulk share a row; null in `sizes` when none do
--
-- Runs of tasks that are alike and plain: for a handler, in a queue of p_queues, without key,
-- groups or deadline, and with a small payload. A row stays under 2 kB: above that Postgres
-- stores the payloads elsewhere, which takes longer than a pack saves.
--
-- Tasks of several queues, priorities or times may come in turns, so those of each are put together first
-- (sort_bulk()), and the ids are dealt out in that order. `task_ids` has them as the tasks were given.

create or replace function pack_tasks(
  p_tasks new_task[], p_ids bigint[], p_queues text[],
  out tasks new_task[], out ids bigint[], out sizes integer[], out payloads jsonb[], out task_ids bigint[]
)
  language plpgsql
as $$
declare
  c_row     constant integer := bound('pack bytes');
  c_payload constant integer := 900;
  v_one    new_task := p_tasks[1];
  v_bytes  integer[];
  v_alike  boolean;
  v_order  integer[];
  v_breaks boolean[];
  v_packs  integer[];
  v_pack   integer := 0;
  v_size   integer := 0;
  v_total  integer := 0;
begin
  select array_agg(pg_column_size(payload)),
         bool_and(
           row(queue, handler, kind, priority, run_at, key, on_duplicate, frees_key, groups, max_running, tags, version,
               max_attempts, backoff, timeout, deadline, retention, parent, meta, after, after_failure)
           is not distinct from
           row(v_one.queue, v_one.handler, v_one.kind, v_one.priority, v_one.run_at, v_one.key, v_one.on_duplicate,
               v_one.frees_key, v_one.groups, v_one.max_running, v_one.tags, v_one.version, v_one.max_attempts,
               v_one.backoff, v_one.timeout, v_one.deadline, v_one.retention, v_one.parent, v_one.meta, v_one.after,
               v_one.after_failure))
  into v_bytes, v_alike
  from unnest(p_tasks);
  task_ids := p_ids;
  if not v_alike then
    v_order := sort_bulk(p_tasks);
    if v_order is not null then
      select array_agg(p_tasks[place] order by n), array_agg(v_bytes[place] order by n),
             (select array_agg(p_ids[n] order by place) from unnest(v_order) with ordinality as moved (place, n))
      into p_tasks, v_bytes, task_ids
      from unnest(v_order) with ordinality as moved (place, n);
    end if;
    v_breaks := find_breaks(p_tasks, p_queues);
  elsif not can_be_packed(v_one, p_queues) then
    return;
  end if;

  for i in 1 .. cardinality(p_tasks) loop
    v_total := v_total + v_bytes[i];
    v_size := v_size + 1;
    if v_size > bound('pack') or v_total > c_row or v_bytes[i] > c_payload or v_bytes[i - 1] > c_payload
       or p_ids[i] <> p_ids[i - 1] + 1 or v_breaks[i] then
      v_pack := v_pack + 1;
      v_size := 1;
      v_total := v_bytes[i];
    end if;
    v_packs[i] := v_pack;
  end loop;
  if v_pack - v_packs[1] + 1 = cardinality(p_tasks) then
    task_ids := p_ids;
    return;
  end if;

  select array_agg(p_tasks[packed.first] order by packed.first), array_agg(p_ids[packed.first] order by packed.first),
         array_agg(packed.size order by packed.first), array_agg(packed.payload order by packed.first)
  into tasks, ids, sizes, payloads
  from (
    select min(task.place) as first, count(*)::integer as size,
           case when count(*) > 1 then jsonb_agg(task.payload order by task.place) end as payload
    from (select payload, ordinality as place from unnest(p_tasks) with ordinality) as task
    group by v_packs[task.place]
  ) as packed;
end;
$$;

-- can_be_packed() — whether a task may share a row with others like it

create or replace function can_be_packed(p_task new_task, p_queues text[])
  returns boolean
  language sql
  immutable
as $$
  select coalesce(p_task.kind, 'handler') = 'handler' and p_task.key is null and p_task.groups is null
     and p_task.deadline is null and p_task.frees_key is null and p_task.after is null
     and p_task.queue = any (p_queues);
$$;

-- sort_bulk() — the places of these tasks with those of a queue, priority and time together; null when they are so
--
-- Stable: claims order tasks by priority, time and id, so the order in which they are claimed stays that of
-- the caller.

create or replace function sort_bulk(p_tasks new_task[])
  returns integer[]
  language sql
  immutable
as $$
  select case when bool_or(place < last) then array_agg(place order by n) end
  from (
    select place, n, lag(place) over (order by n) as last
    from (
      select place::integer, row_number() over (order by first, place) as n
      from (
        select ordinality as place, min(ordinality) over (partition by queue, coalesce(priority, 0), run_at) as first
        from unnest(p_tasks) with ordinality
      ) as given
    ) as sorted
  ) as moved;
$$;

-- find_breaks() — where in a bulk a task cannot share the row of the task before it

create or replace function find_breaks(p_tasks new_task[], p_queues text[])
  returns boolean[]
  language plpgsql
as $$
declare
  v_breaks boolean[];
  v_place  integer := 0;
  v_task   new_task;
  v_last   new_task;
begin
  foreach v_task in array p_tasks loop
    v_place := v_place + 1;
    v_task.payload := null;
    v_breaks[v_place] := v_task is distinct from v_last or not can_be_packed(v_task, p_queues);
    v_last := v_task;
  end loop;
  return v_breaks;
end;
$$;

-- fold_packs() — tasks that are done, as rows
--
-- One element for each pack of which all tasks are named, and one for each other task. The
-- tasks of a pack must be named in the order of their ids, as claim() gives them out, and
-- under one claim. A pack of which a task has the output null (not none) is left to
-- end_tasks(), which splits it: a list of outputs cannot tell the two apart. `sizes` is null
-- when no pack was found.

create or replace function fold_packs(
  p_ids bigint[], p_claims bigint[], p_outputs jsonb[], p_started_ats timestamptz[],
  out ids bigint[], out claims bigint[], out outputs jsonb[], out started_ats timestamptz[], out sizes integer[]
)
  language plpgsql
as $$
declare
  v_firsts integer[];
  v_sizes  integer[];
begin
  ids := p_ids;
  claims := p_claims;
  outputs := p_outputs;
  started_ats := p_started_ats;
  if cardinality(p_ids) < 2 or not exists (select from lanes where has_packs) then
    return;
  end if;
  select array_agg(pack.place order by pack.place), array_agg(pack.size order by pack.place) into v_firsts, v_sizes
  from (
    select array_position(p_ids, id) as place, id, size from tasks where id = any (p_ids) and size > 1
  ) as pack
  where p_ids[pack.place : pack.place + pack.size - 1]
      = array(select pack.id + n from generate_series(0, pack.size - 1) as n)
    and p_claims[pack.place] = all (p_claims[pack.place : pack.place + pack.size - 1])
    and (p_outputs is null or 'null' <> all (array_remove(p_outputs[pack.place : pack.place + pack.size - 1], null)));
  if v_firsts is null then
    return;
  end if;
  select array_agg(p_ids[row.place] order by row.place), array_agg(p_claims[row.place] order by row.place),
         array_agg(row.output order by row.place), array_agg(p_started_ats[row.place] order by row.place),
         array_agg(row.size order by row.place)
  into ids, claims, outputs, started_ats, sizes
  from (
    select place, size, (
             select jsonb_agg(output order by n)
             from unnest(p_outputs[place : place + size - 1]) with ordinality as given (output, n)
             having count(output) > 0) as output
    from unnest(v_firsts, v_sizes) as pack (place, size)
    union all
    select place, 1, p_outputs[place]
    from generate_subscripts(p_ids, 1) as place
    where not exists (
      select from unnest(v_firsts, v_sizes) as pack (first, size)
      where place between pack.first and pack.first + pack.size - 1)
  ) as row;
end;
$$;

-- find_row() — the id of the row in which a task is, live or ended; null when there is no such task

create or replace function find_row(p_id bigint)
  returns bigint
  language sql
  stable
as $$
  select coalesce(
    (select id from tasks where id <= p_id and id > greatest(p_id, 0) - bound('pack') and id + size > p_id),
    (select id from finished where id <= p_id and id > greatest(p_id, 0) - bound('pack') and id + size > p_id));
$$;

-- repeat_names() — each name as often as its row has tasks; without sizes, once

create or replace function repeat_names(p_names text[], p_sizes integer[])
  returns text[]
  language sql
  immutable
as $$
  select case when p_sizes is null then p_names else array(
    select pack.name
    from unnest(p_names, p_sizes) with ordinality as pack (name, size, place)
    cross join lateral generate_series(1, pack.size)
    order by pack.place) end;
$$;

-- claimed_ids() — the ids of the tasks that a claim took

create or replace function claimed_ids(p_claim claims)
  returns bigint[]
  language sql
  immutable
as $$
  select case when p_claim.sizes is null then p_claim.tasks else expand_ids(p_claim.tasks, p_claim.sizes) end;
$$;

-- expand_ids() — the ids of the tasks in these rows, in their order

create or replace function expand_ids(p_ids bigint[], p_sizes integer[])
  returns bigint[]
  language sql
  immutable
as $$
  select coalesce(array_agg(pack.id + n order by pack.place, n), '{}')
  from unnest(p_ids, p_sizes) with ordinality as pack (id, size, place)
  cross join lateral generate_series(0, pack.size - 1) as n;
$$;
