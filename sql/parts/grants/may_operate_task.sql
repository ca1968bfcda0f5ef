-- may_operate_task() — whether a role may operate the queue of a task; true when there is no such task

create or replace function may_operate_task(p_id bigint, p_by text)
  returns boolean
  language plpgsql
  stable
as $$
begin
  if not has_grants() then
    return true;
  end if;
  return coalesce(may_use(
    'operate', coalesce((select queue from tasks where id = p_id), (select queue from finished where id = p_id)), p_by), true);
end;
$$;
