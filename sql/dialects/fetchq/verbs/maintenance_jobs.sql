-- Maintenance: its jobs.

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

-- mnt_job_reschedule() — a job is done, and due again after a delay

create or replace function mnt_job_reschedule(par_id integer, par_delay varchar, out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_delay interval := read_interval(par_delay);
begin
  success := v_delay is not null;
  update jobs
  set next_iteration = now() + v_delay,
      last_iteration = now(),
      iterations     = iterations + 1,
      attempts       = 0
  where id = par_id and success;
end;
$$;

-- mnt_job_run() — runs jobs that are due; success says whether all went well

create or replace function mnt_job_run(
  par_lockduration varchar, par_limit integer, out success boolean, out processed integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_job record;
begin
  success := read_interval(par_lockduration) is not null and coalesce(par_limit, 0) >= 0;
  processed := 0;
  if not success then
    return;
  end if;
  for v_job in select * from mnt_job_pick(par_lockduration, par_limit) loop
    success := run_job(v_job) and success;
    processed := processed + 1;
  end loop;
end;
$$;

create or replace function mnt_job_run(par_limit integer, out success boolean, out processed integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  select ran.success, ran.processed into success, processed from mnt_job_run('5m'::varchar, par_limit) as ran;
end;
$$;

create or replace function mnt_job_run(out success boolean, out processed integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  select ran.success, ran.processed into success, processed from mnt_job_run(1) as ran;
end;
$$;

-- run_job() — does one maintenance job; tells whether it went well
--
-- One that fails is logged, waits for its delay like the others, and is tried again:
-- it keeps neither the other queues nor itself from maintenance.

create or replace function run_job(p_job record)
  returns boolean
  language plpgsql
as $$
declare
  v_delay varchar := coalesce(p_job.settings ->> 'delay', '5m');
begin
  begin
    case p_job.task
      when 'lgp' then
        perform metric_log_pack();
      when 'mnt' then
        perform mnt_run(p_job.queue, coalesce((p_job.settings ->> 'limit')::integer, 100));
      when 'drp' then
        perform queue_drop_metrics(p_job.queue);
        perform queue_drop_logs(p_job.queue);
        perform queue_drop_docs(p_job.queue);
      when 'sts' then
        perform metric_snap(p_job.queue);
      when 'cmp' then
        null; -- Reserved by the original for computed metrics, which it never had.
      else
        raise notice 'DONT KNOW TASK %', p_job.task;
    end case;
  exception
    when query_canceled or admin_shutdown or serialization_failure or deadlock_detected then
      raise;
    when others then
      raise warning 'fetchq: job % of queue % failed: %', p_job.task, p_job.queue, sqlerrm;
      update jobs
      set next_iteration = now() + coalesce(read_interval(v_delay), interval '5 minutes'),
          attempts       = least(attempts, 4)
      where id = p_job.id;
      return false;
  end;
  perform mnt_job_reschedule(p_job.id, case when read_interval(v_delay) is null then '5m' else v_delay end);
  return true;
end;
$$;
