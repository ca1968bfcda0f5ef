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
