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
  v_unknown text;
begin
  if jsonb_typeof(p_tasks) is distinct from 'array' then
    perform refuse('TK004', 'enqueue_many needs an array of tasks', 'Write [{"queue": "mail", "payload": {}}].');
  end if;
  select min(given.name) into v_unknown
  from jsonb_array_elements(p_tasks) as task (value)
  cross join lateral jsonb_object_keys(task.value) as given (name)
  where given.name not in (
    'queue', 'payload', 'handler', 'kind', 'priority', 'run_at', 'key', 'on_duplicate', 'window', 'frees_key', 'groups',
    'max_running', 'tags', 'version', 'max_attempts', 'backoff', 'timeout', 'deadline', 'retention', 'parent', 'meta');
  if v_unknown is not null then
    perform refuse('TK004', format('a task has no property %L', v_unknown), 'See enqueue() for the names.');
  end if;

  return query
    with given as (
      select array_agg(queue) as queues, array_agg(coalesce(payload, '{}')) as payloads, array_agg(handler) as handlers,
             array_agg(kind) as kinds, array_agg(priority) as priorities, array_agg(run_at) as run_ats,
             case when count(key) + count(on_duplicate) > 0 then array_agg(key) end as keys,
             array_agg(on_duplicate) as on_duplicates, array_agg("window") as windows,
             array_agg(frees_key) as frees_keys,
             case when count(groups) > 0 then array_agg(groups::text) end as groups,
             array_agg(max_running) as max_runnings, array_agg(tags::text) as tags, array_agg(version) as versions,
             array_agg(max_attempts) as max_attempts, array_agg(backoff) as backoffs, array_agg(timeout) as timeouts,
             array_agg(deadline) as deadlines, array_agg(retention) as retentions, array_agg(parent) as parents,
             array_agg(meta) as metas
      from jsonb_to_recordset(p_tasks) as task (
        queue text, payload jsonb, handler text, kind text, priority integer, run_at timestamptz, key text,
        on_duplicate text, "window" interval, frees_key boolean, groups text[], max_running integer, tags text[],
        version integer, max_attempts integer, backoff jsonb, timeout interval, deadline timestamptz,
        retention interval, parent bigint, meta jsonb)
    )
    select answer.id, answer.outcome
    from given
    cross join lateral enqueue_many(
      queues, payloads, handlers, kinds, priorities, run_ats, keys, on_duplicates, windows, frees_keys, groups,
      max_runnings, tags, versions, max_attempts, backoffs, timeouts, deadlines, retentions, parents, metas) as answer
    where queues is not null;
end;
$$;
