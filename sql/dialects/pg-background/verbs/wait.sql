-- Wait for a statement.

-- pg_background_wait() — waits until a task has ended, or for timeout_ms; tells whether it has
--
-- Without a timeout it waits for ever. The task must have been launched by a
-- transaction that has committed: see background_wait().

create or replace function pg_background_wait(pid bigint, cookie bigint default null, timeout_ms integer default 0)
  returns boolean
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform background_require(pid, cookie);
  return background_wait(array[pid], timeout_ms) is not null;
end;
$$;

create or replace function pg_background_wait_v2(pid bigint, cookie bigint)
  returns void
  language plpgsql
  set search_path from current
as $$
begin
  perform pg_background_wait(pid, cookie);
end;
$$;

create or replace function pg_background_wait_v2_timeout(pid bigint, cookie bigint, timeout_ms integer)
  returns boolean
  language sql
  set search_path from current
as $$
  select pg_background_wait(pid, cookie, timeout_ms);
$$;

-- pg_background_wait_any() — waits until one of these tasks has ended; null when none did in time

create or replace function pg_background_wait_any(handles pg_background_handle[], timeout_ms integer default 0)
  returns pg_background_handle
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_handle pg_background_handle;
  v_ids    bigint[] := '{}';
  v_ended  bigint;
begin
  foreach v_handle in array coalesce(handles, '{}') loop
    if v_handle.pid is not null then
      perform background_require(v_handle.pid, v_handle.cookie);
      v_ids := v_ids || v_handle.pid;
    end if;
  end loop;
  if v_ids = '{}' then
    return null;
  end if;
  v_ended := background_wait(v_ids, timeout_ms);
  foreach v_handle in array handles loop
    if v_handle.pid = v_ended then
      return v_handle;
    end if;
  end loop;
  return null;
end;
$$;

create or replace function pg_background_wait_any_v2(handles pg_background_handle[], timeout_ms integer default 0)
  returns pg_background_handle
  language sql
  set search_path from current
as $$
  select pg_background_wait_any(handles, timeout_ms);
$$;

-- pg_background_drain() — waits for all of these tasks, timeout_ms in all; one outcome each, in their order
--
-- An unknown handle gives an outcome without a state.

create or replace function pg_background_drain(handles pg_background_handle[], timeout_ms integer default 0)
  returns setof pg_background_outcome
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_until  timestamptz := clock_timestamp() + make_interval(secs => timeout_ms / 1000.0);
  v_handle pg_background_handle;
  v_left   bigint;
begin
  foreach v_handle in array coalesce(handles, '{}') loop
    continue when v_handle.pid is null;
    v_left := ceil(extract(epoch from v_until - clock_timestamp()) * 1000);
    if (pg_background_outcome(v_handle.pid, v_handle.cookie)).state is not null and (timeout_ms <= 0 or v_left > 0) then
      perform background_wait(array[v_handle.pid], case when timeout_ms > 0 then v_left else timeout_ms end);
    end if;
    return next pg_background_outcome(v_handle.pid, v_handle.cookie);
  end loop;
end;
$$;

create or replace function pg_background_drain_v2(handles pg_background_handle[], timeout_ms integer default 0)
  returns setof pg_background_outcome
  language sql
  set search_path from current
as $$
  select * from pg_background_drain(handles, timeout_ms);
$$;

-- pg_background_outcome() — how a task stands; never raises, and knows nothing of what is not the caller's

create or replace function pg_background_outcome(p_pid bigint, p_cookie bigint default null)
  returns pg_background_outcome
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_outcome pg_background_outcome;
begin
  v_outcome.pid := p_pid;
  v_outcome.cookie := p_cookie;
  select task.id, task.cookie,
         case
           when task.state = 'queued' then case when retries = 0 then 'pending' else 'retrying' end
           when task.state = 'running' then 'running'
           when task.state = 'done' then 'stopped'
           when task.state = 'cancelled' then 'canceled'
           else 'error'
         end,
         false, task.state in ('done', 'failed', 'cancelled'), task.state in ('failed', 'cancelled'),
         (background_last_result(task.output) ->> 'row_count')::bigint, background_last_result(task.output) ->> 'tag',
         (background_error(task.state, reason, error)).sqlstate, (background_error(task.state, reason, error)).message,
         task.label, created_at
  into v_outcome
  from background_task as task
  where id = p_pid and task.cookie = coalesce(p_cookie, task.cookie)
    and (submitted_by = (select submitter()) or background_sees_all());
  if not found then
    v_outcome.pid := p_pid;
    v_outcome.cookie := p_cookie;
  end if;
  return v_outcome;
end;
$$;

create or replace function pg_background_outcome_v2(p_pid bigint, p_cookie bigint)
  returns pg_background_outcome
  language sql
  set search_path from current
as $$
  select pg_background_outcome(p_pid, p_cookie);
$$;
