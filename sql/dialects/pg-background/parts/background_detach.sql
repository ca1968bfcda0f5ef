-- background_detach() — takes tasks off the list; tells how many were on it
--
-- On the way, the oldest entries whose tasks are gone are forgotten: ids grow with
-- time, so those come first.

create or replace function background_detach(p_ids bigint[])
  returns integer
  language plpgsql
as $$
declare
  v_count integer;
begin
  insert into background_detached (task) select unnest(p_ids) on conflict (task) do nothing;
  get diagnostics v_count = row_count;
  delete from background_detached
  where task in (select task from background_detached order by task limit 100)
    and not exists (select from tasks where id = task) and not exists (select from finished where id = task);
  return v_count;
end;
$$;
