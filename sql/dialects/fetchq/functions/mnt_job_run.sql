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
