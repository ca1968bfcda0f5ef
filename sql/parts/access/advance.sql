-- advance() — deals with the next page of an operation's tasks, if nobody else does; answers how it stands
--
-- What is done to the page and how far the operation has come commit together, so it goes
-- on where it was left, whoever goes on. One that meets an error that is no refusal and
-- that trying again would not mend has failed.

create or replace function advance(p_id bigint, p_limit integer, p_by_chore boolean)
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
    -- Not page_tasks(): of these nothing is read but the ids.
    v_page := look_through(operation_filter(v_op), v_op.last_id, p_limit, '500 ms');
    v_acted := act_on_tasks(v_op, v_page.ids);
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
        error       = coalesce(v_acted.refusal, error),
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
    perform note_end(v_op);
  end if;
  perform set_config('tusk.caller', coalesce(v_caller, ''), true);
  return v_op;
end;
$$;
