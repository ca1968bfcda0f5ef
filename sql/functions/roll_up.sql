-- roll_up() — folds the changes of the counters into minutes
--
-- Answers with how many changes it folded. Any number may fold at once: each takes
-- rows that no other holds.

create or replace function roll_up(p_limit integer default 10000)
  returns integer
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_folded integer;
begin
  with taken as (
    delete from deltas
    where ctid = any (array(select ctid from deltas limit p_limit for update skip locked))
    returning *
  ), folded as (
    insert into counters (queue, minute, enqueued, claimed, done, failed, cancelled, requeued, lost)
    select queue, date_trunc('minute', at), sum(enqueued), sum(claimed), sum(done), sum(failed), sum(cancelled),
           sum(requeued), sum(lost)
    from taken
    group by 1, 2
    order by 1, 2
    on conflict (queue, minute) do update
      set enqueued  = counters.enqueued + excluded.enqueued,
          claimed   = counters.claimed + excluded.claimed,
          done      = counters.done + excluded.done,
          failed    = counters.failed + excluded.failed,
          cancelled = counters.cancelled + excluded.cancelled,
          requeued  = counters.requeued + excluded.requeued,
          lost      = counters.lost + excluded.lost
  )
  select count(*) into v_folded from taken;
  return v_folded;
end;
$$;
