-- postpone() — queued → queued, later, for tasks that nobody is just taking
--
-- Waits for no row: whoever holds one will find the group held back. Parked tasks
-- stay parked.

create or replace function postpone(p_ids bigint[], p_run_ats timestamptz[])
  returns void
  language sql
as $$
  update tasks
  set run_at = p_run_ats[array_position(p_ids, id)]
  where ctid = any (array(
    select ctid from tasks where id = any (p_ids) and claim is null order by id for no key update skip locked
  ));
$$;
