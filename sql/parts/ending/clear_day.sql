-- clear_day() — removes what the tasks of a day of finished leave elsewhere, some blocks at a time
--
-- Nobody is kept from ending tasks meanwhile. Answers how many blocks it read, and whether that
-- was the last of them. None when another is at it.

create or replace function clear_day(p_day regclass, p_most bigint, out blocks bigint, out is_clear boolean)
  language plpgsql
as $$
declare
  v_name text   := (select relname from pg_class where oid = p_day);
  v_end  bigint := pg_relation_size(p_day) / current_setting('block_size')::bigint;
  v_from bigint;
  v_gone record;
begin
  insert into clearings (day, block) values (v_name, 0) on conflict (day) do nothing;
  select block into v_from from clearings where day = v_name for update skip locked;
  if not found then
    blocks := 0;
    is_clear := false;
    return;
  end if;
  blocks := greatest(least(p_most, v_end - v_from), 0);
  is_clear := v_from + blocks >= v_end;
  if blocks > 0 then
    execute format('select array_agg(id) as ids, array_agg(queue) as queues, array_agg(key) as keys from %s where ctid >= $1 and ctid < $2', p_day)
    into v_gone
    using format('(%s,0)', v_from)::tid, format('(%s,0)', v_from + blocks)::tid;
    delete from attempts where task = any (v_gone.ids);
    delete from logs where task = any (v_gone.ids);
    -- Of a task that is retried at this moment the key is its own again; see retake_key().
    delete from keys
    using unnest(v_gone.ids, v_gone.queues, v_gone.keys) as ended (id, queue, key)
    where keys.queue = any (array[ended.queue]) and keys.key = ended.key and keys.task = ended.id and keys.until > '-infinity';
    update clearings set block = v_from + blocks where day = v_name;
  end if;
end;
$$;
