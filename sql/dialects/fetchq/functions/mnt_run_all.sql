-- mnt_run_all() — mnt_run() for every queue; one that fails is logged and does not stop the others

create or replace function mnt_run_all(par_limit integer)
  returns table (queue varchar, activated_count integer, rescheduled_count integer, killed_count integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  for queue in select name from queues order by name loop
    begin
      select ran.activated_count, ran.rescheduled_count, ran.killed_count
      into activated_count, rescheduled_count, killed_count
      from mnt_run(queue, par_limit) as ran;
    exception
      when query_canceled or admin_shutdown or serialization_failure or deadlock_detected then
        raise;
      when others then
        raise warning 'fetchq: maintenance of queue % failed: %', queue, sqlerrm;
        activated_count := 0;
        rescheduled_count := 0;
        killed_count := 0;
    end;
    return next;
  end loop;
end;
$$;
