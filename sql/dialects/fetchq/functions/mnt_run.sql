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
