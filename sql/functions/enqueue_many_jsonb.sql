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
  c_names constant text[] := '{queue,payload,handler,kind,priority,run_at,key,on_duplicate,window,frees_key,groups,max_running,tags,version,max_attempts,backoff,timeout,deadline,retention,parent,meta}';
  v_given record;
begin
  if jsonb_typeof(p_tasks) is distinct from 'array' then
    perform refuse('TK004', 'enqueue_many needs an array of tasks', 'Write [{"queue": "mail", "payload": {}}].');
  end if;
  perform
  from jsonb_array_elements(p_tasks) as task (value)
  where jsonb_typeof(value) <> 'object' or value - c_names <> '{}';
  if found then
    perform refuse_unreadable(p_tasks, c_names);
  end if;

  begin
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
    into v_given
    from read_tasks(p_tasks);
  exception
    when data_exception then
      perform refuse_unreadable(p_tasks, c_names);
  end;

  return query
    select answer.id, answer.outcome
    from enqueue_many(
      v_given.queues, v_given.payloads, v_given.handlers, v_given.kinds, v_given.priorities, v_given.run_ats,
      v_given.keys, v_given.on_duplicates, v_given.windows, v_given.frees_keys, v_given.groups, v_given.max_runnings,
      v_given.tags, v_given.versions, v_given.max_attempts, v_given.backoffs, v_given.timeouts, v_given.deadlines,
      v_given.retentions, v_given.parents, v_given.metas) as answer
    where v_given.queues is not null;
end;
$$;
