-- rescue(): running, lease over → queued | failed
--
-- Up to p_limit tasks. Finds claims whose lease ran out, never the tasks themselves. An
-- attempt that was lost counts; while attempts are left the task takes its old place in the
-- queue, unless its queue says that a lost task fails. Any number may rescue at once, and
-- none of them waits for a row (take_lost_tasks()). A task whose end is being reported at this
-- moment is left to the one who reports.

create or replace function rescue(p_limit integer default 1000)
  returns table (id bigint, state text)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_lost record;
begin
  perform check_round(p_limit);
  perform fold_lease_notes();
  perform fold_wake_notes(p_limit);
  v_lost := take_lost_tasks(null, null, p_limit);

  return query
    select answer.id, answer.state
    from end_attempts(
      v_lost.ids, v_lost.tokens, array_fill('lost'::text, array[cardinality(v_lost.ids)]), v_lost.errors, null,
      v_lost.again, null, true) as answer
    where v_lost.ids <> '{}';

  insert into deltas (queue, lost)
  select queue, count(*) from unnest(v_lost.queues) as lost (queue) group by queue;
  -- Normally gone with its last task; not if the count had been wrong.
  delete from claims
  where id = any (v_lost.read)
    and not exists (select from tasks where tasks.id = any (claimed_ids(claims)) and tasks.claim = claims.id);
end;
$$;
