-- mnt_reschedule_orphans() — active, lock over → pending, while attempts are left
--
-- Workers of the engine do the same as one of their chores. Counters are kept by the
-- trigger on attempts, whoever rescues.

create or replace function mnt_reschedule_orphans(par_queue varchar, par_limit integer, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if exists (select from queues where name = lower(par_queue)) and coalesce(par_limit, 0) >= 0 then
    select count(*) into affected_rows from rescue_queue(lower(par_queue), par_limit, 'queued');
  else
    raise log 'fetchq: there is no queue %, or nothing can be limited to %', par_queue, par_limit;
  end if;
end;
$$;
