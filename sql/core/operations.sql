-- Operations: what is done to all tasks that match a filter, a page at a time.

-- advance_page() — deals with the next page of an operation's tasks, if no other session does; answers how it stands
--
-- What is done to the page and how far the operation has come commit together, so it goes
-- on where it was left, in whichever session. One that meets an error that is not a refusal and
-- that another try would not fix has failed.

create or replace function advance_page(p_id bigint, p_limit integer, p_by_chore boolean)
  returns operations
  language plpgsql
as $$
declare
  v_op     operations;
  v_page   record;
  v_acted  record;
  v_caller text;
  v_error  text;
begin
  select * into v_op from operations where id = p_id and state = 'running' for update skip locked;
  if not found then
    select * into v_op from operations where id = p_id;
    return v_op;
  end if;
  -- Who started it stands in the audit once, and not with each page.
  v_caller := current_setting('tusk.caller', true);
  perform set_config('tusk.caller', '', true);
  begin
    -- It may do what the role may that started it, not the role that drives it.
    perform set_config('tusk.acting_for', v_op.secret || v_op.id::text, true);
    v_page := find_operation_page(v_op, p_limit);
    v_acted := act_on_tasks(v_op, v_page.fitting);
    perform set_config('tusk.acting_for', '', true);
  exception
    when transaction_rollback or lock_not_available or operator_intervention or insufficient_resources then
      raise;
    when others then
      v_error := sqlerrm;
  end;
  if v_error is null then
    update operations
    set matched     = matched + cardinality(v_page.ids),
        done        = operations.done + v_acted.done,
        refused     = refused + cardinality(v_page.ids) - v_acted.done,
        error       = coalesce(v_acted.refusal, v_page.refusal, error),
        last_id     = coalesce(v_page.next, oldest_id),
        state       = case when v_page.next is null then 'done' else state end,
        ended_at    = case when v_page.next is null then clock_timestamp() end,
        advanced_at = clock_timestamp(),
        by_chore    = p_by_chore
    where id = p_id
    returning * into v_op;
  else
    update operations
    set state = 'failed', error = v_error, ended_at = clock_timestamp(), advanced_at = clock_timestamp()
    where id = p_id
    returning * into v_op;
  end if;
  if v_op.state <> 'running' then
    delete from operation_pages where operation = p_id;
    perform audit_operation_end(v_op);
  end if;
  perform set_config('tusk.caller', coalesce(v_caller, ''), true);
  return v_op;
end;
$$;

-- act_on_tasks() — does what an operation is for to some tasks; answers how many let it
--
-- Tasks that cannot be changed are left as they are, and the last of their refusals is stored.

create or replace function act_on_tasks(p_operation operations, p_ids bigint[], out done bigint, out refusal text)
  language plpgsql
as $$
declare
  -- So many share a subtransaction as long as none refuses: one each would be too many
  -- for the snapshots of others.
  c_together constant integer := 50;
  v_ids  bigint[];
  v_id   bigint;
begin
  perform require_tasks('operate', p_ids);
  case p_operation.action
    when 'cancel' then
      done := coalesce(cardinality(cancel_tasks(p_ids)), 0);
      return;
    when 'delete' then
      select count(*) into done from delete_many(p_ids);
      return;
    else
      null;
  end case;

  -- One by one, and all of it until the page is done: a worker that holds one of them may wait for another's group.
  perform lock_tasks(p_ids, clock_timestamp());
  done := 0;
  for i in 0 .. (cardinality(p_ids) - 1) / c_together loop
    v_ids := p_ids[i * c_together + 1 : (i + 1) * c_together];
    begin
      perform act_on_task(p_operation, id) from unnest(v_ids) as id order by id;
      done := done + cardinality(v_ids);
      continue;
    exception when sqlstate 'TK002' or sqlstate 'TK003' or sqlstate 'TK004' or sqlstate 'TK005' or sqlstate 'TK006' then
      null;
    end;
    foreach v_id in array v_ids loop
      begin
        perform act_on_task(p_operation, v_id);
        done := done + 1;
      exception when sqlstate 'TK002' or sqlstate 'TK003' or sqlstate 'TK004' or sqlstate 'TK005'
        or sqlstate 'TK006' then
        refusal := sqlerrm;
      end;
    end loop;
  end loop;
end;
$$;

-- act_on_task() — does what an operation is for to one task, or raises what the verb raises

create or replace function act_on_task(p_operation operations, p_id bigint)
  returns void
  language plpgsql
as $$
begin
  case p_operation.action
    when 'retry' then perform retry(
      p_id, (p_operation.arguments ->> 'run_at')::timestamptz, p_from => p_operation.arguments ->> 'from');
    when 'kill' then perform kill_running(p_id);
    when 'move' then perform move(p_id, (p_operation.arguments ->> 'run_at')::timestamptz);
    when 'amend' then perform amend(p_id, p_operation.arguments -> 'changes');
  end case;
end;
$$;

-- operation_filter() — which tasks an operation is about
--
-- Those that were there when it began. Ids alone do not tell: producers draw them in
-- blocks ahead of time. Where the filter names no states, those that the action is for.

create or replace function operation_filter(p_operation operations)
  returns jsonb
  language plpgsql
as $$
declare
  v_filter jsonb := p_operation.filter;
begin
  if v_filter -> 'states' is null and v_filter -> 'reason' is null then
    v_filter := v_filter || case p_operation.action
      when 'cancel' then '{"states": ["waiting", "scheduled", "retrying", "blocked", "ready", "running"]}'::jsonb
      when 'kill' then '{"states": ["running"]}'
      when 'retry' then '{"states": ["failed", "cancelled"]}'
      when 'move' then '{"states": ["scheduled", "retrying", "blocked", "ready"]}'
      when 'amend' then '{"states": ["scheduled", "retrying", "blocked", "ready"]}'
      else '{}'
    end;
  end if;
  return v_filter || jsonb_build_object(
    'created_before', least((v_filter ->> 'created_before')::timestamptz, p_operation.created_at));
end;
$$;

-- audit_operation_end() — writes down in the audit how an operation ended, in the name of the caller that started it

create or replace function audit_operation_end(p_operation operations)
  returns void
  language plpgsql
as $$
begin
  if p_operation.caller is not null then
    perform write_audit(
      p_operation.caller, 'end_operation', 'operation ' || p_operation.id, null,
      jsonb_build_object('state', p_operation.state, 'matched', p_operation.matched, 'done', p_operation.done,
                         'refused', p_operation.refused, 'error', p_operation.error));
  end if;
end;
$$;
