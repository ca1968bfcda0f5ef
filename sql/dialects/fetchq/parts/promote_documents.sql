-- promote_documents() — takes documents off the plan; tells how many were on it
--
-- A call of its own, with a look of its own: the claim before it in the same statement
-- may have met documents that were planned after that statement began.

create or replace function promote_documents(p_tasks bigint[])
  returns bigint
  language plpgsql
as $$
declare
  v_many bigint;
begin
  delete from planned where task = any (p_tasks);
  get diagnostics v_many = row_count;
  return v_many;
end;
$$;
