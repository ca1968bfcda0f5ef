-- free_keys() — gives back the keys of tasks that ended
--
-- A throttled key stays taken until its window is over; a queue that keeps keys
-- keeps them as long as it keeps the task.

create or replace function free_keys(p_ids bigint[], p_queues text[], p_keys text[], p_kept boolean, p_now timestamptz)
  returns void
  language plpgsql
as $$
begin
  if p_kept and exists (select from queues where keeps_keys and name = any (p_queues)) then
    update keys
    set until = 'infinity'
    from unnest(p_ids, p_queues, p_keys) as ended (id, queue, key)
    join queues on queues.name = ended.queue and queues.keeps_keys
    where keys.queue = ended.queue and keys.key = ended.key and keys.task = ended.id;
    if cardinality(p_ids) = 1 then
      return;
    end if;
  end if;

  delete from keys
  using unnest(p_ids, p_queues, p_keys) as ended (id, queue, key)
  where keys.queue = ended.queue and keys.key = ended.key and keys.task = ended.id
    and (keys.until <= p_now or not p_kept);
end;
$$;
