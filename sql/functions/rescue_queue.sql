-- rescue_queue(): running, lease over → queued | failed, in one queue
--
-- What rescue() does for all, for whoever keeps house for one queue: up to p_limit
-- tasks, and with a p_state only those that would end in it.

create or replace function rescue_queue(p_queue text, p_limit integer default 100, p_state text default null)
  returns table (id bigint, state text)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_rules  queues := rules(p_queue);
  v_ids    bigint[];
  v_tokens bigint[];
  v_errors jsonb[];
begin
  -- None is what a caller may ask for that counts down.
  if p_limit < 0 then
    perform refuse('TK004', format('cannot rescue %s tasks', p_limit), 'Give a limit of 0 or more, or none.');
  end if;
  if p_state not in ('queued', 'failed') then
    perform refuse('TK004', format('a rescued task is never %s', p_state), 'Name queued or failed, or neither.');
  end if;

  select array_agg(lost.id), array_agg(lost.claim), array_agg(lost.error)
  into v_ids, v_tokens, v_errors
  from (
    select tasks.id, tasks.claim, lost_error(over) as error
    from claims as over
    cross join lateral unnest(over.tasks) as held (id)
    join tasks on tasks.id = any (array[held.id]) and tasks.claim = over.id
    where over.expires_at < clock_timestamp()
      and over.queue = p_queue
      and (p_state is null or p_state = case
             when v_rules.on_lost = 'retry' and tasks.attempt < coalesce(tasks.max_attempts, v_rules.max_attempts)
             then 'queued' else 'failed' end)
    order by over.expires_at, held.id
    limit p_limit
    for no key update of tasks skip locked
    for update of over skip locked
  ) as lost;
  if v_ids is null then
    return;
  end if;

  return query
    select answer.id, answer.state
    from end_attempts(
      v_ids, v_tokens, array_fill('lost'::text, array[cardinality(v_ids)]), v_errors, null,
      array_fill(v_rules.on_lost = 'retry', array[cardinality(v_ids)]), null, true) as answer;
  insert into deltas (queue, lost) values (p_queue, cardinality(v_ids));
end;
$$;
