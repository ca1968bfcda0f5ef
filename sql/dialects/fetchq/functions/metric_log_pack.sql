-- metric_log_pack() — folds what was written down into the counters; tells how many lines
--
-- Of each counter the newest value set, then everything added, also what was added
-- before. Any number may pack at once: each takes lines that no other holds, and
-- counters in one order.

create or replace function metric_log_pack(out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  with taken as materialized (
    delete from metrics_writes
    where ctid = any (array(select ctid from metrics_writes where created_at <= now() for update skip locked))
    returning *
  ), summed as materialized (
    select queue, metric, coalesce(sum(increment), 0) as added,
           (array_agg(reset order by created_at desc) filter (where reset is not null))[1] as reset
    from taken
    group by queue, metric
  ), packed as (
    insert into metrics as old (queue, metric, value, updated_at)
    select queue, metric, coalesce(reset, 0) + added, now()
    from summed
    order by queue, metric
    on conflict (queue, metric) do update
      set value      = excluded.value + case
                         when exists (select from summed where summed.queue = old.queue and summed.metric = old.metric
                                                          and summed.reset is not null)
                         then 0 else old.value end,
          updated_at = excluded.updated_at
  )
  select count(*) into affected_rows from taken;
end;
$$;
