-- How sleeping workers and waiting clients hear of work.

-- wake_workers() — wakes the workers that sleep on these queues
--
-- One NOTIFY per queue and transaction (Postgres drops repetitions), and none
-- while no worker sleeps: the commit of a NOTIFY takes a lock shared by the whole
-- server. Nothing rests on it; a worker that misses it looks again by itself.

create or replace function wake_workers(p_queues text[], p_run_at timestamptz default '-infinity')
  returns void
  language plpgsql
as $$
declare
  v_queue text;
begin
  for v_queue in
    select distinct queue
    from sleepers
    where queue = any (p_queues) and until > greatest(p_run_at, clock_timestamp())
  loop
    perform pg_notify(current_schema() || ':ready', v_queue);
  end loop;
end;
$$;

-- first_due_time() — when the next task of any of these queues becomes due by the passing of time
--
-- Queues without a task, as most of a thousand are, take two probes each.

create or replace function first_due_time(p_queues text[])
  returns timestamptz
  language sql
  volatile
as $$
  select min(next_due_time(given.queue))
  from unnest(p_queues) as given (queue)
  where (select true from tasks where tasks.queue = given.queue and parked_on is null and turn is null limit 1)
     or (select true from tasks where tasks.queue = given.queue and turn is not null limit 1);
$$;

-- next_due_time() — when the next task of a queue becomes due by the passing of time
--
-- One look per lane. The lines of a fair queue are not looked through: a fair
-- queue is looked at again within a second.

create or replace function next_due_time(p_queue text)
  returns timestamptz
  language plpgsql
as $$
declare
  v_now   timestamptz := clock_timestamp();
  v_rules record;
  v_lane  integer;
  v_next  timestamptz;
begin
  select is_fair, is_counted into v_rules from queue_rules(p_queue);
  if v_rules.is_fair then
    return v_now + interval '1 second';
  end if;
  for v_lane in
    select distinct priority from lanes where queue = p_queue
  loop
    v_next := least(v_next, (
      select run_at
      from tasks
      where queue = p_queue and parked_on is null and turn is null and priority = v_lane and run_at > v_now
      order by run_at
      limit 1
    ));
  end loop;
  if v_rules.is_counted then
    v_next := least(v_next, (select next_start_at from groups where name = '@' || p_queue and next_start_at > v_now));
  end if;
  return v_next;
end;
$$;

-- notify_waiters() — rings those who wait for these tasks to end

create or replace function notify_waiters(p_tasks bigint[])
  returns void
  language plpgsql
as $$
declare
  v_task bigint;
begin
  for v_task in
    select distinct task from waiters where task = any (p_tasks)
  loop
    perform pg_notify(current_schema() || ':finished', v_task::text);
  end loop;
end;
$$;

-- notify_cancelled() — tells workers at once which of their tasks were taken away, and from which claim
--
-- The same task may have been retried and claimed again before they hear it.

create or replace function notify_cancelled(p_ids bigint[], p_claims bigint[])
  returns void
  language plpgsql
as $$
declare
  v_gone text;
begin
  for v_gone in
    select gone.id || ' ' || gone.claim from unnest(p_ids, p_claims) as gone (id, claim)
    where gone.claim is not null limit 100
  loop
    perform pg_notify(current_schema() || ':cancel', v_gone);
  end loop;
end;
$$;
