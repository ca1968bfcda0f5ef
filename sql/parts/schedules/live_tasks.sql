-- live_tasks() — which of these tasks are queued or running

create or replace function live_tasks(p_ids bigint[])
  returns bigint[]
  language plpgsql
  stable
as $$
begin
  return array(select id from tasks where id = any (p_ids));
end;
$$;
