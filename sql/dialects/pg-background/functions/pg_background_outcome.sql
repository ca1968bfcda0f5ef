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
