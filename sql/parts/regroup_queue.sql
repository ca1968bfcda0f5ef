-- regroup_queue() — moves the tasks of a queue that becomes fair, or ceases to be

create or replace function regroup_queue(p_queue text, p_fair boolean)
  returns void
  language plpgsql
as $$
begin
  update tasks
  set turn      = case when p_fair then coalesce(groups[1], '') end,
      parked_on = null
  where queue = p_queue and (turn is not null) <> p_fair;
  perform ring(array[p_queue]);
end;
$$;
