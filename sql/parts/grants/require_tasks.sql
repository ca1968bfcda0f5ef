-- require_tasks() — refuses a caller that lacks a right on the queue of one of these tasks
--
-- A task never changes its queue, so this may be asked before the task is locked. What does
-- not exist is left to the verb.

create or replace function require_tasks(p_right text, p_ids bigint[])
  returns void
  language plpgsql
as $$
begin
  if has_grants() then
    perform require_queues(p_right, array(
      select queue from tasks where id = any (p_ids)
      union
      select queue from finished where id = any (p_ids)));
  end if;
end;
$$;
