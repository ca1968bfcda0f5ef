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
