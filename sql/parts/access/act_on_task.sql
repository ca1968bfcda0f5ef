-- act_on_task() — does what an operation is for to one task, or raises what the verb raises

create or replace function act_on_task(p_operation operations, p_id bigint)
  returns void
  language plpgsql
as $$
begin
  case p_operation.action
    when 'retry' then perform retry(p_id, (p_operation.arguments ->> 'run_at')::timestamptz);
    when 'kill' then perform kill_running(p_id);
    when 'move' then perform move(p_id, (p_operation.arguments ->> 'run_at')::timestamptz);
    when 'amend' then perform amend(p_id, p_operation.arguments -> 'changes');
  end case;
end;
$$;
