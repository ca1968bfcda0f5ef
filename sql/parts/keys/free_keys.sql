-- free_keys() — gives back the keys of tasks that ended
--
-- A throttled key stays taken until its window is over; a queue that keeps keys
-- keeps them as long as it keeps the task. Nearly always that was known when they were
-- taken, and nothing has to be written (take_keys()). p_kept says of each task whether it is
-- kept; without it they were deleted, and no window counts.

create or replace function free_keys(p_ids bigint[], p_queues text[], p_keys text[], p_kept boolean[], p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_keeping text[];
begin
  if true = any (p_kept) then
    select array_agg(name) into v_keeping from queues where keeps_keys and name = any (p_queues);
  end if;
  if v_keeping is not null then
    update keys
    set until = 'infinity'
    from unnest(p_ids, p_queues, p_keys, p_kept) as ended (id, queue, key, is_kept)
    where keys.queue = any (array[ended.queue]) and keys.key = ended.key and keys.task = ended.id
      and ended.is_kept and ended.queue = any (v_keeping) and keys.until < 'infinity';
    if cardinality(p_ids) = 1 then
      return;
    end if;
  end if;

  delete from keys
  using unnest(p_ids, p_queues, p_keys, p_kept) as ended (id, queue, key, is_kept)
  where keys.queue = any (array[ended.queue]) and keys.key = ended.key and keys.task = ended.id
    and (v_keeping is null or not ended.is_kept or ended.queue <> all (v_keeping))
    and (keys.until <= p_now or keys.until = 'infinity' or p_kept is null);
end;
$$;
