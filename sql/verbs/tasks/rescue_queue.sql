-- rescue_queue(): running, lease over → queued | failed, in one queue
--
-- What rescue() does for all queues, for the housekeeper of one queue: up to p_limit
-- tasks, and with a p_state only those that would end in it.

create or replace function rescue_queue(p_queue text, p_limit integer default 100, p_state text default null)
  returns table (id bigint, state text)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_lost record;
begin
  -- None is what a caller may ask for that counts down.
  if p_limit < 0 then
    perform refuse('TK004', format('cannot rescue %s tasks', p_limit), 'Give a limit of 0 or more, or none.');
  end if;
  if p_state not in ('queued', 'failed') then
    perform refuse('TK004', format('a rescued task cannot become %s', p_state), 'Give queued, failed or null.');
  end if;

  perform fold_lease_notes();
  v_lost := take_lost_tasks(p_queue, p_state, p_limit);
  if v_lost.ids = '{}' then
    return;
  end if;

  return query
    select answer.id, answer.state
    from end_attempts(
      v_lost.ids, v_lost.tokens, array_fill('lost'::text, array[cardinality(v_lost.ids)]), v_lost.errors, null,
      v_lost.again, null, true) as answer;
  insert into deltas (queue, lost) values (p_queue, cardinality(v_lost.ids));
end;
$$;
