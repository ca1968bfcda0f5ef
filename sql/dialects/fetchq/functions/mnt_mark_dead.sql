-- mnt_mark_dead() — active, lock over → killed, when no attempts are left

create or replace function mnt_mark_dead(par_queue varchar, par_limit integer, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if exists (select from queues where name = lower(par_queue)) and coalesce(par_limit, 0) >= 0 then
    select count(*) into affected_rows from rescue_queue(lower(par_queue), par_limit, 'failed');
  else
    raise log 'fetchq: there is no queue %, or nothing can be limited to %', par_queue, par_limit;
  end if;
end;
$$;
