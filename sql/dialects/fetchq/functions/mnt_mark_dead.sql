-- mnt_mark_dead() — active, lock over → killed, when no attempts are left

create or replace function mnt_mark_dead(par_queue varchar, par_limit integer, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if exists (select from queues where name = lower(par_queue)) then
    select count(*) into affected_rows from rescue_queue(lower(par_queue), par_limit, 'failed');
  else
    raise log 'fetchq: there is no queue %', par_queue;
  end if;
end;
$$;
