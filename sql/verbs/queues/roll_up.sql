-- roll_up() — folds what happened into counters, and failures into groups
--
-- Answers with how many changes and failures it folded. Any number may fold at once: each
-- takes rows that no other holds.

create or replace function roll_up(p_limit integer default 10000)
  returns integer
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_round(p_limit);
  return fold_deltas(p_limit) + fold_failures(p_limit);
end;
$$;

-- fold_failures() — takes failures and adds them to the groups of those that say the same
--
-- For roll_up().

create or replace function fold_failures(p_limit integer)
  returns integer
  language plpgsql
as $$
declare
  v_folded integer;
begin
  with taken as materialized (
    delete from failures
    where ctid = any (array(select ctid from failures limit p_limit for update skip locked))
    returning *
  ), said as materialized (
    select fingerprint(taken.code, normal.message) as fingerprint, taken.*, coalesce(normal.message, '') as normal
    from taken
    -- Read once: Postgres would otherwise make two calls of it.
    cross join lateral (select normalize_message(taken.message) as message offset 0) as normal
  ), grouped as (
    insert into error_groups (fingerprint, queue, code, message, sample, reason, count, first_at, last_at, last_task)
    select fingerprint, queue, min(code), min(normal),
           (array_agg(coalesce(message, '') order by at desc))[1], (array_agg(reason order by at desc))[1],
           count(*), min(at), max(at), (array_agg(task order by at desc))[1]
    from said
    group by fingerprint, queue
    order by fingerprint, queue
    on conflict (fingerprint, queue) do update
      set count     = error_groups.count + excluded.count,
          first_at  = least(error_groups.first_at, excluded.first_at),
          last_at   = greatest(error_groups.last_at, excluded.last_at),
          sample    = case when excluded.last_at >= error_groups.last_at then excluded.sample
                           else error_groups.sample end,
          reason    = case when excluded.last_at >= error_groups.last_at then excluded.reason
                           else error_groups.reason end,
          last_task = case when excluded.last_at >= error_groups.last_at then excluded.last_task
                           else error_groups.last_task end
  ), counted as (
    insert into error_counts (fingerprint, queue, hour, n)
    select fingerprint, queue, date_bin('1 hour', at, 'epoch'), count(*)
    from said
    group by 1, 2, 3
    order by 1, 2, 3
    on conflict (fingerprint, queue, hour) do update set n = error_counts.n + excluded.n
  )
  select count(*) into v_folded from taken;
  return v_folded;
end;
$$;
