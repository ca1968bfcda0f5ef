-- mnt_job_pick() — maintenance jobs that are due, locked for a duration

create or replace function mnt_job_pick(par_lockduration varchar, par_limit integer)
  returns table (
    id integer, task varchar, queue varchar, attempts integer, iterations bigint, next_iteration timestamptz,
    last_iteration timestamptz, settings jsonb, payload jsonb
  )
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  return query
    update jobs
    set next_iteration = now() + par_lockduration::interval,
        attempts       = jobs.attempts + 1
    from (
      select due.id from jobs as due
      where due.attempts < 5 and due.next_iteration < now()
      order by due.next_iteration
      limit par_limit
      for update skip locked
    ) as due
    where jobs.id = due.id
    returning jobs.id, jobs.task, jobs.queue, jobs.attempts, jobs.iterations, jobs.next_iteration, jobs.last_iteration,
              jobs.settings, jobs.payload;
end;
$$;
