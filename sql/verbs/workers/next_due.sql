-- next_due() — a worker that sleeps asks when the next task of its queues becomes due by itself
--
-- What sleep() answers, without registering anew: nothing is written. Null when nothing is ahead.

create or replace function next_due(p_queues text[])
  returns timestamptz
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_list('p_queues', p_queues);
  if p_queues is null or array_position(p_queues, null) is not null then
    perform refuse('TK004', 'next_due needs the names of queues',
                   'Write next_due(''{mail,post}''); no name may be null.');
  end if;
  if has_grants() then
    perform require_queues('consume', p_queues);
  end if;
  return first_due_time(p_queues);
end;
$$;
