-- Waiting for a task, and letting it go.

-- background_wait() — looks again and again until one of these tasks has ended; null when none did in time
--
-- Every 10 ms at first, every 200 ms in the end. A task of the caller's own
-- transaction cannot start before that commits, so waiting for it is refused; so is
-- waiting under a snapshot that will never show the end.

create or replace function background_wait(p_ids bigint[], p_timeout_ms bigint)
  returns bigint
  language plpgsql
as $$
declare
  v_until timestamptz := clock_timestamp() + make_interval(secs => p_timeout_ms / 1000.0);
  v_pause double precision := 0.01;
  v_ended bigint;
begin
  if p_timeout_ms < 0 then
    perform refuse('22023', format('timeout_ms cannot be %s', p_timeout_ms), 'Give 0 to wait without an end.');
  end if;
  loop
    select given.id into v_ended
    from unnest(p_ids) with ordinality as given (id, place)
    where given.id is not null and not exists (select from live_task where live_task.id = given.id)
    order by given.place
    limit 1;
    if v_ended is not null then
      return v_ended;
    end if;
    perform background_refuse_waiting(p_ids);
    if p_timeout_ms > 0 and clock_timestamp() >= v_until then
      return null;
    end if;
    perform pg_sleep(
      case when p_timeout_ms > 0
           then least(v_pause, greatest(extract(epoch from v_until - clock_timestamp())::double precision, 0))
           else v_pause end);
    v_pause := least(v_pause * 1.5, 0.2);
  end loop;
end;
$$;

-- background_refuse_waiting() — refuses to wait where the end of these tasks could never be seen

create or replace function background_refuse_waiting(p_ids bigint[])
  returns void
  language plpgsql
as $$
declare
  v_own bigint;
begin
  select id into v_own
  from background_task
  where id = any (p_ids) and xid = pg_current_xact_id_if_assigned()::text
  limit 1;
  if v_own is not null then
    perform refuse(
      '55000', format('background task %s was launched by this very transaction and starts when it commits', v_own),
      'Commit first, then wait; or use CALL pg_background_run(…). '
      'Where pg_background_set_loopback() was called, tasks start at once.');
  end if;
  if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    perform refuse(
      '25001', format('a %s transaction never sees that a task has ended', current_setting('transaction_isolation')),
      'Wait in a transaction of isolation level read committed.');
  end if;
end;
$$;

-- background_detach() — takes tasks off the list; tells how many were on it
--
-- On the way, the oldest entries whose tasks are gone are forgotten: ids grow with
-- time, so those come first.

create or replace function background_detach(p_ids bigint[])
  returns integer
  language plpgsql
as $$
declare
  v_count integer;
begin
  insert into background_detached (task) select unnest(p_ids) on conflict (task) do nothing;
  get diagnostics v_count = row_count;
  delete from background_detached
  where task in (select task from background_detached order by task limit 100)
    and not exists (select from live_task where id = task) and not exists (select from ended_task where id = task);
  return v_count;
end;
$$;
