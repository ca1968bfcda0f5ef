-- enqueue_many(): → queued, many at once
--
-- One array per property, one element per task; an array left out, or a null in
-- it, means the default. Groups and tags are array literals such as '{a,b}'.
-- Answers in the order given: the task's id and whether it was created or, for
-- a key that was taken, kept, replaced, debounced or throttled (then the id is
-- that of the task which holds the key). All or nothing: a task that cannot be
-- stored refuses the whole call and says which and why.

create or replace function enqueue_many(
  p_queues        text[],
  p_payloads      jsonb[],
  p_handlers      text[]        default null,
  p_kinds         text[]        default null,
  p_priorities    integer[]     default null,
  p_run_ats       timestamptz[] default null,
  p_keys          text[]        default null,
  p_on_duplicates text[]        default null,
  p_windows       interval[]    default null,
  p_frees_keys    boolean[]     default null,
  p_groups        text[]        default null,
  p_max_runnings  integer[]     default null,
  p_tags          text[]        default null,
  p_versions      integer[]     default null,
  p_max_attempts  integer[]     default null,
  p_backoffs      jsonb[]       default null,
  p_timeouts      interval[]    default null,
  p_deadlines     timestamptz[] default null,
  p_retentions    interval[]    default null,
  p_parents       bigint[]      default null,
  p_metas         jsonb[]       default null
)
  returns table (id bigint, outcome text)
  language plpgsql
  security definer
  set search_path from current
  set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  v_now      timestamptz := clock_timestamp();
  v_by       text := submitter();
  v_parked   text[];
  v_fair     text[];
  v_ids      bigint[];
  v_outcomes text[];
  v_answer   record;
begin
  perform check_tasks(
    p_queues, p_payloads, p_kinds, p_handlers, p_priorities, p_versions, p_run_ats, p_deadlines, p_keys,
    p_on_duplicates, p_windows, p_max_attempts, p_max_runnings, p_timeouts, p_retentions, p_groups, p_backoffs, v_now);
  perform open_lanes(p_queues, p_priorities);

  if p_groups is not null then
    v_parked := places_in_line(p_queues, p_groups, p_priorities, p_run_ats, p_max_runnings, v_now);
  end if;
  v_fair := array(select name from queues where is_fair and name = any (p_queues));
  if p_keys is not null then
    select taken.ids, taken.outcomes into v_ids, v_outcomes
    from take_keys(p_queues, p_keys, p_on_duplicates, p_windows, v_now) as taken;
  end if;

  with created as (
    insert into tasks (
      id, created_at, run_at, deadline, parent, priority, version, max_attempts, max_running, frees_key, timeout,
      retention, kind, queue, parked_on, turn, key, handler, submitted_by, groups, tags, backoff, meta, payload
    )
    select coalesce(given.id, nextval('task_ids')), v_now,
           coalesce(given.run_at, v_now + case when given.on_duplicate = 'debounce' then given.span end, v_now),
           given.deadline, given.parent,
           coalesce(given.priority, 0), coalesce(given.version, 1), given.max_attempts, given.max_running,
           given.frees_key, given.timeout, given.retention, coalesce(given.kind, 'handler'), given.queue,
           case when given.queue = any (v_fair) then null else given.parked_on end,
           case when given.queue = any (v_fair) then coalesce((given.groups::text[])[1], '') end,
           given.key,
           case when coalesce(given.kind, 'handler') = 'handler' then coalesce(given.handler, given.queue)
                else given.handler end,
           v_by, given.groups::text[], given.tags::text[], given.backoff, given.meta, given.payload
    from unnest(
      p_queues, p_payloads, p_handlers, p_kinds, p_priorities, p_run_ats, p_keys, p_frees_keys, p_groups,
      p_max_runnings, p_tags, p_versions, p_max_attempts, p_backoffs, p_timeouts, p_deadlines, p_retentions,
      p_parents, p_metas, p_on_duplicates, p_windows, v_parked, v_ids, v_outcomes
    ) as given (
      queue, payload, handler, kind, priority, run_at, key, frees_key, groups, max_running, tags, version,
      max_attempts, backoff, timeout, deadline, retention, parent, meta, on_duplicate, span,
      parked_on, id, outcome)
    where coalesce(given.outcome, 'created') = 'created'
    returning id
  )
  select coalesce(v_ids, array_agg(id)) into v_ids from created;

  for i in 1..coalesce(cardinality(v_outcomes), 0) loop
    continue when v_outcomes[i] = 'created';
    select * into v_answer
    from enqueue_duplicate(
      p_queues[i], p_keys[i], coalesce(p_on_duplicates[i], 'keep'), p_windows[i], p_payloads[i], p_handlers[i],
      p_priorities[i], p_run_ats[i], p_versions[i], p_metas[i]);
    if v_answer.id is null then
      -- The key was freed after all: its task ended meanwhile. Begin again for this one.
      select * into v_answer
      from enqueue_many(
        p_queues[i:i], p_payloads[i:i], p_handlers[i:i], p_kinds[i:i], p_priorities[i:i], p_run_ats[i:i],
        p_keys[i:i], p_on_duplicates[i:i], p_windows[i:i], p_frees_keys[i:i], p_groups[i:i], p_max_runnings[i:i],
        p_tags[i:i], p_versions[i:i], p_max_attempts[i:i], p_backoffs[i:i], p_timeouts[i:i], p_deadlines[i:i],
        p_retentions[i:i], p_parents[i:i], p_metas[i:i]);
    end if;
    v_ids[i] := v_answer.id;
    v_outcomes[i] := v_answer.outcome;
  end loop;

  insert into deltas (queue, enqueued)
  select given.queue, count(*)
  from unnest(p_queues, v_outcomes) as given (queue, outcome)
  where coalesce(given.outcome, 'created') = 'created'
  group by given.queue;
  perform note_events('enqueue', v_ids, p_queues, v_outcomes);
  perform ring(p_queues, (select coalesce(min(coalesce(given.run_at, v_now)), v_now) from unnest(p_queues, p_run_ats) as given (queue, run_at)));

  return query
    select given.id, coalesce(given.outcome, 'created')
    from unnest(v_ids, v_outcomes) as given (id, outcome);
end;
$$;
