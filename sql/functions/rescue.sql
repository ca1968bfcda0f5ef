-- rescue(): running, lease over → queued | failed
--
-- Finds claims whose lease ran out, never the tasks themselves. An attempt that was
-- lost counts; while attempts are left the task takes its old place in the queue,
-- unless its queue says that a lost task fails. Any number may rescue at once.

create or replace function rescue(p_limit integer default 100)
  returns table (id bigint, state text)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_now   timestamptz := clock_timestamp();
  v_claim claims;
begin
  for v_claim in
    select * from claims where expires_at < v_now order by expires_at limit p_limit for update skip locked
  loop
    return query
      select answer.id, answer.state
      from end_attempts(
        v_claim.tasks, array_fill(v_claim.id, array[cardinality(v_claim.tasks)]),
        array_fill('lost'::text, array[cardinality(v_claim.tasks)]),
        array_fill(lost_error(v_claim), array[cardinality(v_claim.tasks)]), null,
        array_fill((rules(v_claim.queue)).on_lost = 'retry', array[cardinality(v_claim.tasks)]), null, true) as answer;
    insert into deltas (queue, lost) values (v_claim.queue, v_claim.open);
    -- Normally gone with its last task; not if the count had been wrong.
    delete from claims where id = v_claim.id;
  end loop;
end;
$$;
