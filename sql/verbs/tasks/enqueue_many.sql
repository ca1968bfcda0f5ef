-- enqueue_many(): → queued, many at once
--
-- One array per property, one element per task; an array left out, or a null in
-- it, means the default. Groups, tags and afters are array literals such as '{a,b}'.
-- Answers in the order given: the task's id and whether it was created or, for
-- a key that was taken, kept, replaced, debounced or throttled (then the id is
-- that of the task which holds the key). All or nothing: a task that cannot be
-- stored refuses the whole call and says which and why.
--
-- With p_sizes, an element stands for so many tasks that are alike, and its payload is an array
-- with the payload of each: the quickest way to store many. Answers for each of the tasks.

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
  p_metas         jsonb[]       default null,
  p_sizes         integer[]     default null,
  p_afters        text[]        default null,
  p_after_failures text[]       default null
)
  returns table (id bigint, outcome text)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_stored record;
begin
  perform check_lists(
    p_queues, p_payloads, p_handlers, p_kinds, p_priorities, p_run_ats, p_keys, p_on_duplicates, p_windows,
    p_frees_keys,
    p_groups, p_max_runnings, p_tags, p_versions, p_max_attempts, p_backoffs, p_timeouts, p_deadlines, p_retentions,
    p_parents, p_metas, p_afters, p_after_failures);
  if p_sizes is not null then
    perform check_bundles(p_payloads, p_sizes);
  end if;
  -- Arrays are read by subscript: two dozen unnested side by side took four times as long to
  -- begin with (35 against 8 µs a call).
  v_stored := store_tasks(array(
    select row(
      p_queues[i], p_payloads[i], p_handlers[i], p_kinds[i], p_priorities[i], p_run_ats[i], p_keys[i],
      p_on_duplicates[i], p_windows[i], p_frees_keys[i], p_groups[i]::text[], p_max_runnings[i], p_tags[i]::text[],
      p_versions[i], p_max_attempts[i], p_backoffs[i], p_timeouts[i], p_deadlines[i], p_retentions[i], p_parents[i],
      p_metas[i], p_afters[i]::bigint[], p_after_failures[i]
    )::new_task
    from generate_subscripts(p_queues, 1) as i), p_packs => true, p_sizes => p_sizes);
  return query
    select stored.id, coalesce(stored.outcome, 'created')
    from unnest(v_stored.ids, v_stored.outcomes) as stored (id, outcome);
end;
$$;

-- check_lists() — refuses a bulk whose arrays are more than plain lists, one element per task

create or replace function check_lists(
  p_queues text[], p_payloads jsonb[], p_handlers text[], p_kinds text[], p_priorities integer[],
  p_run_ats timestamptz[], p_keys text[], p_on_duplicates text[], p_windows interval[], p_frees_keys boolean[],
  p_groups text[], p_max_runnings integer[], p_tags text[], p_versions integer[], p_max_attempts integer[],
  p_backoffs jsonb[], p_timeouts interval[], p_deadlines timestamptz[], p_retentions interval[], p_parents bigint[],
  p_metas jsonb[], p_afters text[], p_after_failures text[]
)
  returns void
  language plpgsql
as $$
declare
  c_most  constant integer := coalesce(cardinality(p_queues), 0);
  v_wrong text;
begin
  if cardinality(p_queues) is distinct from cardinality(p_payloads) then
    perform refuse('TK004', 'each task needs a queue and a payload',
                   'Give p_queues and p_payloads with the same number of elements.');
  end if;
  v_wrong := case
    when not is_list(p_queues) then 'p_queues'
    when not is_list(p_payloads) then 'p_payloads'
    when not is_list(p_handlers, c_most) then 'p_handlers'
    when not is_list(p_kinds, c_most) then 'p_kinds'
    when not is_list(p_priorities, c_most) then 'p_priorities'
    when not is_list(p_run_ats, c_most) then 'p_run_ats'
    when not is_list(p_keys, c_most) then 'p_keys'
    when not is_list(p_on_duplicates, c_most) then 'p_on_duplicates'
    when not is_list(p_windows, c_most) then 'p_windows'
    when not is_list(p_frees_keys, c_most) then 'p_frees_keys'
    when not is_list(p_groups, c_most) then 'p_groups'
    when not is_list(p_max_runnings, c_most) then 'p_max_runnings'
    when not is_list(p_tags, c_most) then 'p_tags'
    when not is_list(p_versions, c_most) then 'p_versions'
    when not is_list(p_max_attempts, c_most) then 'p_max_attempts'
    when not is_list(p_backoffs, c_most) then 'p_backoffs'
    when not is_list(p_timeouts, c_most) then 'p_timeouts'
    when not is_list(p_deadlines, c_most) then 'p_deadlines'
    when not is_list(p_retentions, c_most) then 'p_retentions'
    when not is_list(p_parents, c_most) then 'p_parents'
    when not is_list(p_metas, c_most) then 'p_metas'
    when not is_list(p_afters, c_most) then 'p_afters'
    when not is_list(p_after_failures, c_most) then 'p_after_failures'
  end;
  if v_wrong is not null then
    perform refuse('TK004', format('%s does not have one element per task', v_wrong),
                   'Give arrays of one dimension that begin at 1, none longer than p_queues.');
  end if;
  if p_groups is not null then
    perform check_literals('groups', p_groups);
  end if;
  if p_tags is not null then
    perform check_literals('tags', p_tags);
  end if;
  if p_afters is not null then
    perform check_id_literals(p_afters);
  end if;
end;
$$;

-- enqueue_many(jsonb): → queued, many at once, each an object
--
--   select * from enqueue_many('[{"queue": "mail", "payload": {"to": "ada"}, "priority": 5}]');
--
-- The names are those of enqueue() without their prefix; a name it does not know
-- is refused. Answers in the order given, like enqueue_many() with arrays.

create or replace function enqueue_many(p_tasks jsonb)
  returns table (id bigint, outcome text)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_stored record;
begin
  v_stored := store_tasks(read_tasks(p_tasks), p_packs => true);
  return query
    select stored.id, coalesce(stored.outcome, 'created')
    from unnest(v_stored.ids, v_stored.outcomes) as stored (id, outcome);
end;
$$;
