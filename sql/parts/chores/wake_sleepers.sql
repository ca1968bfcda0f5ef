-- wake_sleepers() — rings those who sleep on a queue in which a task has just become due
--
-- A worker that sleeps knows when its next task is due and looks by itself: this is
-- for the ring that was lost. Only what became due a moment ago counts, so a task
-- that no worker can run does not ring for ever. Answers how many queues it rang for.

create or replace function wake_sleepers()
  returns integer
  language plpgsql
as $$
declare
  v_now    timestamptz := clock_timestamp();
  v_queue  text;
  v_queues text[] := '{}';
begin
  for v_queue in
    select distinct queue from sleepers where until > v_now
  loop
    if (rules(v_queue)).paused_at is null and exists (
      select
      from (select distinct priority from lanes where lanes.queue = v_queue) as lane
      cross join lateral (
        select
        from tasks
        where tasks.queue = v_queue and parked_on is null and turn is null and tasks.priority = lane.priority
          and run_at > v_now - interval '15 seconds' and run_at <= v_now and claim is null
        limit 1
      ) as due
    ) then
      v_queues := v_queues || v_queue;
    end if;
  end loop;
  if v_queues <> '{}' then
    perform ring(v_queues);
  end if;
  return cardinality(v_queues);
end;
$$;
