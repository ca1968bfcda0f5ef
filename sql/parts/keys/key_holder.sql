-- key_holder() — the task that holds a key; null when it is free
--
-- A key whose task has ended is held until its time is over; then it is removed.

create or replace function key_holder(p_queue text, p_key text, p_now timestamptz)
  returns bigint
  language plpgsql
as $$
declare
  v_held keys;
begin
  select * into v_held from keys where queue = p_queue and key = p_key;
  if not found then
    return null;
  end if;
  if v_held.until > p_now or exists (select from tasks where id = v_held.task) then
    return v_held.task;
  end if;
  -- Asked again: the very task may have been retried since.
  delete from keys
  where queue = p_queue and key = p_key and task = v_held.task and until <= p_now
    and not exists (select from tasks where id = keys.task);
  return null;
end;
$$;
