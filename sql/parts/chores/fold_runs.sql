-- fold_runs() — puts together what workers that are gone have left of their records
--
-- Any number may fold at once: each takes rows that no other holds.

create or replace function fold_runs()
  returns void
  language sql
as $$
  with gone as (
    delete from chore_runs
    where ctid = any (array(
      select ctid
      from chore_runs
      where worker <> '' and last_run_at < clock_timestamp() - interval '1 minute'
        and not exists (select from workers where workers.id = chore_runs.worker)
      for update skip locked
    ))
    returning *
  )
  insert into chore_runs as known
    (chore, worker, last_run_at, last_ok_at, last_error_at, last_error, runs, processed, errors, last_ms, total_ms, max_ms)
  select chore, '', max(last_run_at), max(last_ok_at), max(last_error_at),
         (array_agg(last_error order by last_error_at desc nulls last))[1], sum(runs), sum(processed), sum(errors),
         (array_agg(last_ms order by last_run_at desc))[1], sum(total_ms), max(max_ms)
  from gone
  group by chore
  order by chore
  on conflict (chore, worker) do update
    set last_run_at   = greatest(known.last_run_at, excluded.last_run_at),
        last_ok_at    = greatest(known.last_ok_at, excluded.last_ok_at),
        last_error    = case when excluded.last_error_at > coalesce(known.last_error_at, '-infinity')
                             then excluded.last_error else known.last_error end,
        last_error_at = greatest(known.last_error_at, excluded.last_error_at),
        runs          = known.runs + excluded.runs,
        processed     = known.processed + excluded.processed,
        errors        = known.errors + excluded.errors,
        last_ms       = excluded.last_ms,
        total_ms      = known.total_ms + excluded.total_ms,
        max_ms        = greatest(known.max_ms, excluded.max_ms);
$$;
