-- watch() — how a task stands, and a ring when it ends
--
-- Answers with its state, and with its output or error once it has ended. If it has
-- not, NOTIFY '<schema>:finished' will carry its id when it does, within p_for.
-- LISTEN first, then call this, so that no end falls in between. With p_for null it
-- only looks. Who may not see all tasks sees those of its own.

create or replace function watch(
  p_id  bigint,
  p_for interval default '1 minute',
  out state   text,
  out reason  text,
  out attempt integer,
  out output  jsonb,
  out error   jsonb
)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_by  text := submitter();
  v_all boolean := has_table_privilege(v_by, 'task', 'select') and may_operate_task(p_id, v_by);
begin
  perform check_delays(array[p_for]);
  loop
    -- Locked, so that a task cannot end between this look and the commit of its waiter.
    select case when claim is null then 'queued' else 'running' end, tasks.attempt
    into state, attempt
    from tasks
    where id <= p_id and id > greatest(p_id, 0) - bound('pack') and id + size > p_id and (v_all or submitted_by = v_by)
    for key share;
    if found then
      insert into waiters (task, until)
      select p_id, clock_timestamp() + p_for where p_for is not null;
      return;
    end if;
    select finished.state, finished.reason, finished.attempt,
           case when size = 1 then finished.output else nullif(finished.output -> (p_id - id)::integer, 'null') end,
           finished.error
    into state, reason, attempt, output, error
    from finished
    where id <= p_id and id > greatest(p_id, 0) - bound('pack') and id + size > p_id and (v_all or submitted_by = v_by);
    exit when found;
    -- It may have been retried between the two looks.
    if not exists (select from tasks where id = find_row(p_id) and (v_all or submitted_by = v_by)) then
      perform refuse_unknown(p_id);
    end if;
  end loop;
end;
$$;
