-- Maintenance: what Fetchq's workers call from time to time.

-- mnt() — runs the jobs of all queues now, then packs the counters

create or replace function mnt(par_lockduration varchar, out processed integer, out packed integer)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_jobs integer;
begin
  update jobs set next_iteration = now() - interval '1 ms' where queue <> '*';
  get diagnostics v_jobs = row_count;
  select ran.processed into processed from mnt_job_run(par_lockduration, v_jobs) as ran;
  packed := metric_log_pack();
end;
$$;

create or replace function mnt(out processed integer, out packed integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  select ran.processed, ran.packed into processed, packed from mnt('5m'::varchar) as ran;
end;
$$;

-- mnt_run() — all three steps of maintenance for one queue

create or replace function mnt_run(
  par_queue varchar, par_limit integer,
  out activated_count integer, out rescheduled_count integer, out killed_count integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform require_queue(par_queue);
  killed_count := mnt_mark_dead(par_queue, par_limit);
  rescheduled_count := mnt_reschedule_orphans(par_queue, par_limit);
  activated_count := mnt_make_pending(par_queue, par_limit);
end;
$$;

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
  select count(*), array_agg(live_task.key) filter (where live_task.key is not null)
  into affected_rows, v_subjects
  from promoted
  left join live_task on live_task.id = any (array[promoted.task]);

  perform tally(v_queue.name, '{pnd,pln}', array[affected_rows, -affected_rows]);
  perform tell(v_queue, 'pnd', variadic v_subjects);
end;
$$;

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

-- mnt_reschedule_orphans() — active, lock over → pending, while attempts are left
--
-- Workers of the engine do the same as one of their chores. Counters are kept by the
-- trigger on attempts, whichever session rescues.

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
