-- rescue(): running, lease over → queued | failed
--
-- Finds claims whose lease ran out, never the tasks themselves. An attempt that was
-- lost counts; while attempts are left the task takes its old place in the queue,
-- unless its queue says that a lost task fails. Any number may rescue at once. A
-- task whose end is being reported at this moment is left to the one who reports.

create or replace function rescue(p_limit integer default 100)
  returns table (id bigint, state text)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_over   claims[];
  v_ids    bigint[];
  v_tokens bigint[];
  v_errors jsonb[];
  v_again  boolean[];
begin
  perform check_round(p_limit);
  v_over := array(
    select claims
    from claims
    where expires_at < clock_timestamp()
    order by expires_at
    limit p_limit
    for update skip locked
  );

  select array_agg(lost.id), array_agg(lost.claim), array_agg(lost.error), array_agg(lost.again)
  into v_ids, v_tokens, v_errors, v_again
  from (
    select tasks.id, tasks.claim, over.error, over.again
    from (
      select given.id, given.tasks, lost_error(given) as error, (rules(given.queue)).on_lost = 'retry' as again
      from unnest(v_over) as given
    ) as over
    cross join lateral unnest(over.tasks) as held (id)
    join tasks on tasks.id = any (array[held.id]) and tasks.claim = over.id
    for no key update of tasks skip locked
  ) as lost;

  return query
    select answer.id, answer.state
    from end_attempts(
      v_ids, v_tokens, array_fill('lost'::text, array[cardinality(v_ids)]), v_errors, null, v_again, null, true) as answer
    where v_ids is not null;

  insert into deltas (queue, lost)
  select over.queue, count(*)
  from unnest(v_over) as over
  join unnest(v_tokens) as lost (claim) on lost.claim = over.id
  group by over.queue;
  -- Normally gone with its last task; not if the count had been wrong.
  delete from claims
  where id in (select over.id from unnest(v_over) as over)
    and not exists (select from tasks where tasks.id = any (claims.tasks) and tasks.claim = claims.id);
end;
$$;
