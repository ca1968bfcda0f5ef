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
as $$
#variable_conflict use_column
declare
  v_now      timestamptz := clock_timestamp();
  v_by       text := submitter();
  v_parked   text[];
  v_fair     text[];
  v_keeping  text[];
  v_smallest integer;
  v_followed boolean;
  v_granted  boolean;
  v_ids      bigint[];
  v_queues   text[];
  v_priorities integer[];
  v_outcomes text[];
  v_known    bigint[];
  v_left     text[] := '{}';
  i          integer;
  v_answer   record;
begin
  perform check_lists(
    p_queues, p_payloads, p_handlers, p_kinds, p_priorities, p_run_ats, p_keys, p_on_duplicates, p_windows, p_frees_keys,
    p_groups, p_max_runnings, p_tags, p_versions, p_max_attempts, p_backoffs, p_timeouts, p_deadlines, p_retentions,
    p_parents, p_metas);
  select min(max_payload), array_agg(name) filter (where is_fair), array_agg(name) filter (where keeps_keys),
         bool_or(records_events or followed_until > v_now), bool_or(has_grants)
  into v_smallest, v_fair, v_keeping, v_followed, v_granted
  from queues;
  perform check_tasks(
    p_queues, p_payloads, p_kinds, p_handlers, p_priorities, p_versions, p_run_ats, p_deadlines, p_keys,
    p_on_duplicates, p_windows, p_max_attempts, p_max_runnings, p_timeouts, p_retentions, p_groups, p_tags, p_backoffs, p_metas,
    v_smallest, v_now);
  if v_granted then
    perform require_rights(p_queues, p_groups);
  end if;
  if 'sql' = any (p_kinds) then
    p_payloads := array(
      select case when p_kinds[i] = 'sql' then sql_payload(p_payloads[i], v_by) else p_payloads[i] end
      from generate_subscripts(p_payloads, 1) as i
      order by i);
  end if;

  if p_keys is not null then
    for i in
      select place from generate_subscripts(p_keys, 1) as place
      where cardinality(p_queues) > 1 and p_keys[place] is not null
        -- Not exists(): that would be planned as a join, which may begin with the keys.
        and (select true from keys where queue = p_queues[place] and key = p_keys[place])
      order by p_queues[place] collate "C", p_keys[place] collate "C"
    loop
      v_known[i] := key_holder(p_queues[i], p_keys[i], v_now);
    end loop;
    select taken.ids, taken.outcomes into v_ids, v_outcomes
    from take_keys(
      p_queues, p_keys, p_on_duplicates, p_windows, v_keeping, cardinality(p_queues) > 1 and v_known is null,
      v_now) as taken;
  end if;
  if p_groups is not null then
    v_parked := places_in_line(
      p_queues, p_groups, p_priorities, p_run_ats, p_max_runnings, p_on_duplicates, v_outcomes, v_now);
  end if;

  with created as (
    insert into tasks (
      id, created_at, run_at, deadline, parent, priority, version, max_attempts, max_running, frees_key, timeout,
      retention, kind, queue, parked_on, turn, key, handler, submitted_by, groups, tags, backoff, meta, payload
    )
    select coalesce(v_ids[i], nextval('task_ids')), v_now,
           coalesce(p_run_ats[i], v_now + case when p_on_duplicates[i] = 'debounce' then p_windows[i] end, v_now),
           p_deadlines[i], p_parents[i], coalesce(p_priorities[i], 0), coalesce(p_versions[i], 1), p_max_attempts[i],
           p_max_runnings[i], p_frees_keys[i], p_timeouts[i], p_retentions[i], coalesce(p_kinds[i], 'handler'), p_queues[i],
           case when p_queues[i] = any (v_fair) then null else v_parked[i] end,
           case when p_queues[i] = any (v_fair) then coalesce((p_groups[i]::text[])[1], '') end,
           p_keys[i],
           case when coalesce(p_kinds[i], 'handler') = 'handler' then coalesce(p_handlers[i], p_queues[i])
                else p_handlers[i] end,
           v_by, p_groups[i]::text[], p_tags[i]::text[], p_backoffs[i], p_metas[i], p_payloads[i]
    from generate_subscripts(p_queues, 1) as i
    where v_outcomes is null or v_outcomes[i] = 'created'
    returning id, queue, priority
  ), used as (
    select queue, priority, count(*) as n from created group by queue, priority
  ), unopened as (
    select array_agg(queue) as queues, array_agg(priority) as priorities
    from used
    where current_setting('transaction_isolation') not in ('read committed', 'read uncommitted')
       or not exists (
         select from lanes where lanes.queue = used.queue and lanes.priority = used.priority and lanes.closing_by is null)
  ), counted as (
    insert into deltas (queue, enqueued)
    select queue, n from used
  )
  select coalesce(v_ids, array_agg(created.id)), (select unopened.queues from unopened), (select unopened.priorities from unopened)
  into v_ids, v_queues, v_priorities
  from created;
  if v_queues is not null then
    perform open_lanes(v_queues, v_priorities);
  end if;

  if array_position(v_outcomes, 'taken') is not null then
    -- What the keys that were taken lead to, in the order of locks: keys, then tasks by
    -- id, then groups. A bulk does not go back for a key that becomes free meanwhile, for
    -- it holds others: the task that ended was there when this call came, and is named.
    for i in
      select place from generate_subscripts(v_outcomes, 1) as place
      where v_outcomes[place] = 'taken'
      order by p_queues[place] collate "C", p_keys[place] collate "C", place
    loop
      v_ids[i] := coalesce(key_holder(p_queues[i], p_keys[i], v_now), v_known[i]);
      if v_ids[i] is null then
        -- The key was freed after all: its task came and ended meanwhile. Begin again for this one.
        select * into v_answer
        from enqueue_many(
          p_queues[i:i], p_payloads[i:i], p_handlers[i:i], p_kinds[i:i], p_priorities[i:i], p_run_ats[i:i],
          p_keys[i:i], p_on_duplicates[i:i], p_windows[i:i], p_frees_keys[i:i], p_groups[i:i], p_max_runnings[i:i],
          p_tags[i:i], p_versions[i:i], p_max_attempts[i:i], p_backoffs[i:i], p_timeouts[i:i], p_deadlines[i:i],
          p_retentions[i:i], p_parents[i:i], p_metas[i:i]);
        v_ids[i] := v_answer.id;
        v_outcomes[i] := v_answer.outcome;
      end if;
    end loop;
    perform from tasks
    where id = any (array(
      select v_ids[i] from generate_subscripts(v_ids, 1) as i
      where v_outcomes[i] = 'taken' and p_on_duplicates[i] in ('replace', 'debounce')
    ))
    order by id
    for no key update;
    for i in
      select place from generate_subscripts(v_outcomes, 1) as place where v_outcomes[place] = 'taken' order by place
    loop
      select * into v_answer
      from enqueue_duplicate(
        v_ids[i], p_queues[i], p_keys[i], coalesce(p_on_duplicates[i], 'keep'), p_windows[i], p_payloads[i],
        p_handlers[i], p_priorities[i], p_run_ats[i], p_deadlines[i], p_versions[i], p_metas[i],
        coalesce(p_kinds[i], 'handler'), v_by);
      v_outcomes[i] := v_answer.outcome;
      v_left := v_left || v_answer.left_groups;
    end loop;
    if v_left <> '{}' then
      perform free_groups(v_left, array_fill(0, array[cardinality(v_left)]), v_now);
    end if;
  end if;

  if v_followed then
    perform note_events('enqueue', v_ids, p_queues, v_outcomes);
  end if;
  if exists (select from sleepers where queue = any (p_queues)) then
    perform ring(p_queues, coalesce((select min(coalesce(given.run_at, v_now)) from unnest(p_run_ats) as given (run_at)), v_now));
  end if;

  return query
    select given.id, coalesce(given.outcome, 'created')
    from unnest(v_ids, v_outcomes) as given (id, outcome);
end;
$$;
