-- Tasks that match a filter, found within a time.

-- search_tasks() — tasks that match a filter, the newest first, found within a time
--
-- For page_tasks(), count_tasks() and count_states(). Goes through the tasks in windows, which grow as long
-- as they take little of the time, until enough were found, all were looked at (then next
-- is null), or the time is up: next is then where to go on. At least one window is looked
-- at, so a caller that goes on comes to an end. Every task before next was looked at, and none
-- behind it. Their states are returned if p_by_state asks for them.

create or replace function search_tasks(
  p_filter jsonb, p_before bigint, p_limit integer, p_within interval, p_by_state boolean default false,
  out ids bigint[], out states text[], out next bigint
)
  language plpgsql
  stable
as $$
declare
  v_now     timestamptz := clock_timestamp();
  v_want    task_filter := read_filter(p_filter);
  v_shut    text[] := find_closed_queues();
  v_busy    text[] := find_busy_groups();
  v_window  integer := least(p_limit + 1, 1000);
  v_workers text[];
  v_named   bigint[];
  v_begun   timestamptz;
  v_seen    record;
  v_all     boolean := sees_all();
  v_shown   record;
begin
  if v_want.worker is not null then
    v_workers := array[v_want.worker];
  end if;
  if v_want.host is not null then
    v_workers := array(
      select id from workers where host = v_want.host and (v_want.worker is null or id = v_want.worker));
  end if;
  ids := '{}';
  states := '{}';
  next := coalesce(p_before, 9223372036854775807);
  v_named := find_tasks_by_index(v_want, v_workers, v_shut, v_busy, next);

  loop
    v_begun := clock_timestamp();
    if v_named is null then
      v_seen := look_at(v_want, v_workers, v_shut, v_busy, next, v_window, v_now, p_by_state);
    else
      select array_agg(task.id order by task.id desc) as ids, array_agg(task.state order by task.id desc) as states,
             v_named[least(v_window, cardinality(v_named))] as last, least(v_window, cardinality(v_named)) as seen
      into v_seen
      from stored_task as task
      where task.id = any (v_named[:v_window]) and task.row_id = any (rows_of(v_named[:v_window]))
        and matches_filter(
              v_want, v_workers, task.state, task.reason, task.queue, task.kind, task.handler, task.key, task.groups,
              task.tags, task.parent, task.submitted_by, task.worker, task.created_at, task.run_at, task.finished_at,
              task.payload, task.error);
      v_named := v_named[v_window + 1:];
    end if;
    if v_all then
      ids := ids || v_seen.ids;
      states := states || v_seen.states;
    else
      v_shown := visible_tasks(v_seen.ids, v_seen.states);
      ids := ids || v_shown.ids;
      states := states || v_shown.states;
    end if;
    next := v_seen.last;
    if cardinality(ids) > p_limit or (cardinality(ids) = p_limit and v_seen.seen >= v_window) then
      ids := ids[:p_limit];
      states := states[:p_limit];
      next := ids[p_limit];
      exit;
    end if;
    if v_seen.seen < v_window then
      next := null;
      exit;
    end if;
    exit when clock_timestamp() - v_now >= p_within;
    if clock_timestamp() - v_begun < p_within / 16 then
      v_window := least(v_window * 2, 10000);
    end if;
  end loop;
end;
$$;

-- look_at() — which of the next tasks match, the newest first: one window of search_tasks()
--
-- Reads up to p_window tasks older than p_before by id, from both tables at once, and says
-- which of them match and in which state they are, which was the last, and how many there
-- were. Of finished only those that did not succeed are read when only they can match: they
-- are few. Ready and blocked tasks are distinguished when a filter or p_by_state
-- asks for it.

create or replace function look_at(
  p_want task_filter, p_workers text[], p_shut text[], p_busy text[], p_before bigint, p_window integer,
  p_now timestamptz, p_by_state boolean, out ids bigint[], out states text[], out last bigint, out seen integer
)
  language plpgsql
  stable
as $$
declare
  c_live   constant text[] := '{waiting,scheduled,retrying,blocked,ready,running}';
  v_fails  boolean := num_nonnulls(p_want.reason, p_want.error, p_want.code) > 0;
  v_ends   boolean := p_want.states is null or p_want.states && '{done,failed,cancelled}';
  v_undone boolean := v_ends and (v_fails or not coalesce('done' = any (p_want.states), true));
  v_ended  boolean := v_ends and not v_undone;
  v_live   boolean := (p_want.states is null or p_want.states && c_live) and not v_fails
    and num_nonnulls(p_want.finished_after, p_want.finished_before) = 0;
  -- Only these two states of a due task cannot be read from its own row.
  v_faces  boolean := p_by_state or ('ready' = any (p_want.states)) <> ('blocked' = any (p_want.states));
begin
  select array_agg(looked.id order by looked.id desc) filter (where looked.fits),
         array_agg(looked.state order by looked.id desc) filter (where looked.fits and p_by_state),
         min(looked.id), count(*)
  into ids, states, last, seen
  from (
    select task.id, task.state, matches_filter(
             p_want, p_workers, task.state, task.reason, task.queue, task.kind, task.handler, task.key,
             task.groups, task.tags,
             task.parent, task.submitted_by, task.worker, task.created_at, task.run_at, task.finished_at, task.payload,
             task.error) as fits
    from (
      select packed.id + n as id, state, reason, queue, kind, handler, key, groups, tags, parent, submitted_by, worker,
             created_at, run_at, finished_at, case when size = 1 then payload else payload -> n end as payload, error
      from (
        (select id, size,
                case
                  when claim is not null and parked_on is null then 'running'
                  when waits is not null and run_at > p_now then 'waiting'
                  when run_at > p_now then case when attempt = 0 then 'scheduled' else 'retrying' end
                  when not v_faces then 'ready'
                  when parked_on is not null or queue = any (p_shut) then 'blocked'
                  when groups is null or not groups && p_busy then 'ready'
                  else (select shown.state from stored_task as shown
                        where shown.id = tasks.id and shown.row_id = tasks.id)
                end as state,
                null as reason, queue, kind, handler, key, groups, tags, parent, submitted_by,
                case when p_workers is not null
                     then (select claims.worker from claims where claims.id = tasks.claim) end as worker,
                created_at, run_at, null::timestamptz as finished_at,
                -- Nothing else is compared with it.
                case when p_want.text is not null then
                  coalesce(payload, (select large.payload from payloads as large where large.task = tasks.id))
                end as payload,
                null::jsonb as error
         from tasks
         where v_live and id < p_before
         order by id desc
         limit p_window)
        union all
        (select id, size, state, reason, queue, kind, handler, key, groups, tags, parent, submitted_by, worker,
         created_at, run_at,
                finished_at,
                case when p_want.text is not null then
                  coalesce(payload, (select large.payload from payloads as large where large.task = finished.id))
                end,
                error
         from finished
         where v_ended and id < p_before
         order by id desc
         limit p_window)
        union all
        (select id, size, state, reason, queue, kind, handler, key, groups, tags, parent, submitted_by, worker,
         created_at, run_at,
                finished_at,
                case when p_want.text is not null then
                  coalesce(payload, (select large.payload from payloads as large where large.task = finished.id))
                end,
                error
         from finished
         where v_undone and id < p_before and reason is not null
         order by id desc
         limit p_window)
        order by id desc
        limit p_window
      ) as packed
      cross join lateral generate_series(0, packed.size - 1) as n
      where packed.id + n < p_before
      order by packed.id + n desc
      limit p_window
    ) as task
    -- Keeps Postgres from asking matches_filter() once for each column above.
    offset 0
  ) as looked;
end;
$$;

-- matches_filter() — whether a task is what a filter asks for
--
-- The one place that says so, for tasks of both tables. p_workers are the workers that the
-- filter means, null when it names none. A task that has not ended has no error yet,
-- whatever its last attempt came to. The password in a connection string is not
-- searched, because a caller that may search may not read it. One expression, so that Postgres
-- inlines it.

create or replace function matches_filter(
  p_want task_filter, p_workers text[], p_state text, p_reason text, p_queue text, p_kind text,
  p_handler text, p_key text,
  p_groups text[], p_tags text[], p_parent bigint, p_submitted_by text, p_worker text, p_created_at timestamptz,
  p_run_at timestamptz, p_finished_at timestamptz, p_payload jsonb, p_error jsonb
)
  returns boolean
  language sql
  immutable
as $$
  select ((p_want).queue is null or p_queue = (p_want).queue)
     and ((p_want).states is null or p_state = any ((p_want).states))
     and ((p_want).key is null or p_key = (p_want).key)
     and ((p_want).handler is null or p_handler = (p_want).handler)
     and ((p_want).kind is null or p_kind = (p_want).kind)
     and ((p_want).tag is null or (p_want).tag = any (p_tags))
     and ((p_want)."group" is null or (p_want)."group" = any (p_groups))
     and ((p_want).parent is null or p_parent = (p_want).parent)
     and ((p_want).reason is null or p_reason = (p_want).reason)
     and (p_workers is null or p_worker = any (p_workers))
     and ((p_want).submitted_by is null or p_submitted_by = (p_want).submitted_by)
     and ((p_want).created_after is null or p_created_at >= (p_want).created_after)
     and ((p_want).created_before is null or p_created_at < (p_want).created_before)
     and ((p_want).run_after is null or p_run_at >= (p_want).run_after)
     and ((p_want).run_before is null or p_run_at < (p_want).run_before)
     and ((p_want).finished_after is null or p_finished_at >= (p_want).finished_after)
     and ((p_want).finished_before is null or p_finished_at < (p_want).finished_before)
     and ((p_want).code is null or error_code(p_error) = (p_want).code)
     and ((p_want).error is null or fingerprint_of(p_error) = (p_want).error)
     and ((p_want).text is null
          or strpos(lower(hide_password(p_kind, p_payload)::text), lower((p_want).text)) > 0
          or strpos(lower(p_payload ->> 'sql'), lower((p_want).text)) > 0
          or strpos(lower(error_message(p_error)), lower((p_want).text)) > 0);
$$;
