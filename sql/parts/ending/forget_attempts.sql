-- forget_attempts() — of rounds that are over, only the latest hundred attempts stay with a task
--
-- One that is rescheduled again and again may live for ever, and no sweep meets it: it would
-- keep every attempt that ever failed, and be slower to end with each.

create or replace function forget_attempts(p_ids bigint[])
  returns void
  language plpgsql
as $$
declare
  c_enough constant integer := 100;
begin
  delete from attempts
  using (
    select tasks.id, tasks.iteration, latest.ended_at
    from tasks
    cross join lateral (
      select known.ended_at from attempts as known
      where known.task = any (array[tasks.id])
      order by known.ended_at desc
      offset c_enough - 1
      limit 1
    ) as latest
    where tasks.id = any (p_ids)
  ) as long
  where attempts.task = any (array[long.id])
    and attempts.ended_at < long.ended_at
    and attempts.iteration < long.iteration;
end;
$$;
