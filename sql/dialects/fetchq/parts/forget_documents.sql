-- forget_documents() — deletes documents, and what is noted about them

create or replace function forget_documents(p_tasks bigint[])
  returns void
  language plpgsql
as $$
begin
  perform delete_many(p_tasks);
  delete from planned where task = any (p_tasks);
  delete from rounds where task = any (p_tasks);
end;
$$;
