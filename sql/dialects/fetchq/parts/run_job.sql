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
