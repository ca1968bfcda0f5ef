-- mnt_make_pending() — planned → pending, when their time is over
--
-- A matter of books: a planned document that is due is picked in any case.

create or replace function mnt_make_pending(par_queue varchar, par_limit integer, out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue    queues := require_queue(par_queue);
  v_subjects text[];
begin
  with due as (
    select task from planned
    where queue = v_queue.name and run_at < now()
    order by run_at
    limit par_limit
    for update skip locked
  ), promoted as (
    delete from planned using due where planned.task = any (array[due.task]) returning planned.task
  )
  select count(*), array_agg(tasks.key) filter (where tasks.key is not null)
  into affected_rows, v_subjects
  from promoted
  left join tasks on tasks.id = any (array[promoted.task]);

  perform tally(v_queue.name, '{pnd,pln}', array[affected_rows, -affected_rows]);
  perform tell(v_queue, 'pnd', variadic v_subjects);
end;
$$;
