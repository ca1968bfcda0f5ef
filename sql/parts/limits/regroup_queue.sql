-- regroup_queue() — moves the tasks of a queue that becomes fair, or ceases to be
--
-- Waits for nobody: claim() finds those that stay behind, as it finds those that are
-- being enqueued at this moment.

create or replace function regroup_queue(p_queue text, p_fair boolean)
  returns void
  language plpgsql
as $$
begin
  update tasks
  set turn      = case when p_fair then coalesce(groups[1], '') end,
      parked_on = null
  where ctid = any (array(
    select ctid from tasks where queue = p_queue and (turn is not null) <> p_fair for no key update skip locked
  ));
  perform ring(array[p_queue]);
end;
$$;
