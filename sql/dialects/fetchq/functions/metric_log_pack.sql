-- metric_log_pack() — folds what was written down into the counters; tells how many lines
--
-- Of each counter the newest value set, then everything added, also what was added
-- before. A line that begins with @ stands for what a call changes together; so it takes
-- one line to write down, which nobody waits for. Any number may pack at once: each takes lines that no other holds, and
-- counters in one order. While a caller counts anew nothing is packed, and no packer waits; see share_books().

create or replace function metric_log_pack(out affected_rows integer)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  if not share_books() then
    affected_rows := 0;
    return;
  end if;
  with taken as materialized (
    delete from metrics_writes
    where ctid = any (array(select ctid from metrics_writes where created_at <= now() for update skip locked))
    returning *
  ), together (move, metric, sign) as (
    values ('@push', 'ent', 1), ('@push', 'cnt', 1), ('@push', 'v', 1), ('@push', 'pnd', 1),
           ('@plan', 'ent', 1), ('@plan', 'cnt', 1), ('@plan', 'v', 1), ('@plan', 'pln', 1),
           ('@pick', 'pkd', 1), ('@pick', 'act', 1), ('@pick', 'pnd', -1),
           ('@complete', 'prc', 1), ('@complete', 'cpl', 1), ('@complete', 'act', -1),
           ('@kill', 'prc', 1), ('@kill', 'kll', 1), ('@kill', 'act', -1),
           ('@drop', 'prc', 1), ('@drop', 'drp', 1), ('@drop', 'act', -1), ('@drop', 'cnt', -1), ('@drop', 'v', -1),
           ('@reject', 'prc', 1), ('@reject', 'err', 1), ('@reject', 'rej', 1), ('@reject', 'act', -1), ('@reject', 'pnd', 1),
           ('@spend', 'prc', 1), ('@spend', 'err', 1), ('@spend', 'rej', 1), ('@spend', 'act', -1), ('@spend', 'kll', 1),
           ('@again', 'prc', 1), ('@again', 'res', 1), ('@again', 'act', -1), ('@again', 'pnd', 1),
           ('@later', 'prc', 1), ('@later', 'res', 1), ('@later', 'act', -1), ('@later', 'pln', 1)
  ), summed as materialized (
    select line.queue,
           -- A version stands behind the word: '@push 3' counts v3.
           case together.metric when 'v' then 'v' || split_part(line.metric, ' ', 2)
                                else coalesce(together.metric, line.metric) end as metric,
           sum(line.added * coalesce(together.sign, 1)) as added,
           (array_agg(line.reset order by line.reset_at desc) filter (where line.reset is not null))[1] as reset
    from (
      select queue, metric, coalesce(sum(increment), 0) as added, max(created_at) filter (where reset is not null) as reset_at,
             (array_agg(reset order by created_at desc) filter (where reset is not null))[1] as reset
      from taken
      group by queue, metric
    ) as line
    left join together on together.move = split_part(line.metric, ' ', 1)
    group by 1, 2
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
  select count(*) into affected_rows
  from taken
  left join together on together.move = split_part(taken.metric, ' ', 1);
end;
$$;
