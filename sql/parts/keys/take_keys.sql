-- take_keys() — takes the keys of a bulk, and tells which were to be had
--
-- Gives every task an id and an outcome: created, or taken when a live task (or an
-- earlier one of the same bulk) holds the key. In the order of the keys, so that
-- bulks with the same keys queue up behind one another instead of deadlocking.
--
-- In queues that keep keys (p_keeping) they are taken for ever, which is until their task is
-- forgotten: then nothing has to be written when it ends.
--
-- Whoever looked and found none of them taken says so (p_free). Then they are inserted as
-- they are, at half the cost of insert … on conflict; if one was taken meanwhile after
-- all, or comes twice in the bulk, that is undone and done the other way.

create or replace function take_keys(
  p_queues text[], p_keys text[], p_on_duplicates text[], p_windows interval[], p_keeping text[], p_free boolean,
  p_now timestamptz,
  out ids bigint[], out outcomes text[]
)
  language plpgsql
as $$
#variable_conflict use_column
declare
  v_won bigint[];
begin
  ids := array(select nextval('task_ids') from generate_subscripts(p_queues, 1));
  if p_free then
    begin
      insert into keys (queue, key, task, until)
      select p_queues[i], p_keys[i], ids[i],
             case when p_on_duplicates[i] = 'throttle' then p_now + p_windows[i]
                  when p_queues[i] = any (p_keeping) then 'infinity'
                  else '-infinity' end
      from generate_subscripts(p_keys, 1) as i
      where p_keys[i] is not null
      order by p_queues[i] collate "C", p_keys[i] collate "C", i;
      outcomes := array_fill('created'::text, array[cardinality(ids)]);
      return;
    exception when unique_violation then
      null;
    end;
  end if;

  with won as (
    insert into keys (queue, key, task, until)
    select given.queue, given.key, given.id,
           case when given.on_duplicate = 'throttle' then p_now + given.span
                when given.queue = any (p_keeping) then 'infinity'
                else '-infinity' end
    from unnest(p_queues, p_keys, p_on_duplicates, p_windows, ids) as given (queue, key, on_duplicate, span, id)
    where given.key is not null
    order by given.queue collate "C", given.key collate "C", given.id
    on conflict (queue, key) do nothing
    returning task
  )
  select array_agg(task) into v_won from won;

  select array_agg(case when given.key is null or given.id = any (v_won) then 'created' else 'taken' end order by given.place)
  into outcomes
  from unnest(p_keys, ids) with ordinality as given (key, id, place);
end;
$$;
