-- The days of finished: made ahead, and dropped when nothing is left to keep.

-- prepare_days() — makes the partitions of finished for the coming days; answers how many
--
-- Only days that have not begun: no row of theirs can stand in the default
-- partition yet, so none is ever moved. Unless the clock was ahead once: then that day
-- stays in the default partition, and its rows are swept one by one.

create or replace function prepare_days(p_now timestamptz)
  returns integer
  language plpgsql
  set timezone = 'UTC'
  set lock_timeout = '1s'
as $$
declare
  v_day  date;
  v_name text;
  v_made integer := 0;
begin
  for i in 1..2 loop
    v_day := (p_now at time zone 'UTC')::date + i;
    v_name := 'finished_' || to_char(v_day, 'YYYYMMDD');
    if to_regclass(format('%I.%I', current_schema(), v_name)) is null then
      begin
        -- The parent is locked for a moment; under a long reader, try again next time.
        execute format('create table %I partition of finished for values from (%L) to (%L)',
                       v_name, v_day::timestamptz, (v_day + 1)::timestamptz);
        v_made := v_made + 1;
      exception
        when lock_not_available or duplicate_table or check_violation then null;
      end;
    end if;
  end loop;
  return v_made;
end;
$$;

-- drop_days() — drops the days of finished in which nothing is left to keep
--
-- What their tasks leave elsewhere (large payloads, attempts, logs, kept keys) goes before them, so many
-- at a time: a day may have millions. Only then is the table locked, and with it every session
-- that ends a task, until the caller's transaction is over: do nothing after it. Answers how many
-- were dropped, and whether p_limit left more to be done.

create or replace function drop_days(p_limit integer, p_now timestamptz, out days integer, out more boolean)
  language plpgsql
  set timezone = 'UTC'
  set lock_timeout = '1s'
as $$
declare
  -- In blocks, which have some 40 rows each at most.
  v_left    bigint := greatest(p_limit / 10, 1);
  v_day     regclass;
  v_live    boolean;
  v_cleared record;
begin
  days := 0;
  more := false;
  for v_day in
    select inhrelid::regclass
    from pg_inherits
    join pg_class on pg_class.oid = inhrelid
    where inhparent = 'finished'::regclass
      and relname ~ '^finished_[0-9]{8}$'
      and substr(relname, 10)::date < (p_now at time zone 'UTC')::date
    order by relname
  loop
    execute format('select exists (select from %s where keep_until > $1)', v_day) into v_live using p_now;
    continue when v_live;
    more := v_left <= 0;
    exit when more;
    begin
      v_cleared := clear_day(v_day, v_left);
    exception
      when lock_not_available or deadlock_detected then exit;
    end;
    v_left := v_left - v_cleared.blocks;
    more := not v_cleared.is_clear and v_cleared.blocks > 0;
    exit when not v_cleared.is_clear;
    begin
      execute format('lock table only finished, %s in access exclusive mode', v_day);
      -- Asked again: a transaction that ended a task on that day may have committed only now.
      execute format('select exists (select from %s where keep_until > $1)', v_day) into v_live using p_now;
      continue when v_live;
      delete from clearings where day = (select relname from pg_class where oid = v_day);
      execute format('drop table %s', v_day);
      days := days + 1;
    exception
      when lock_not_available or deadlock_detected then exit;
    end;
  end loop;
end;
$$;

-- clear_day() — removes what the tasks of a day of finished leave elsewhere, some blocks at a time
--
-- Sessions can go on ending tasks meanwhile. Answers how many blocks it read, and whether that
-- was the last of them. None when another is at it. It takes fewer blocks where their tasks have
-- many bytes of large payloads, so that a call does not take too long.

create or replace function clear_day(p_day regclass, p_most bigint, out blocks bigint, out is_clear boolean)
  language plpgsql
as $$
declare
  c_bytes constant bigint := 256 * 1024 * 1024;
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
  if blocks > 0 then
    loop
      execute format('select array_agg(id) as ids, array_agg(size) as sizes, array_agg(queue) as queues, '
                     'array_agg(key) as keys, array_agg(id) filter (where payload is null) as large '
                     'from %s where ctid >= $1 and ctid < $2', p_day)
      into v_gone
      using format('(%s,0)', v_from)::tid, format('(%s,0)', v_from + blocks)::tid;
      exit when blocks = 1 or v_gone.large is null;
      exit when (select sum(pg_column_size(payload)) from payloads where task = any (v_gone.large)) <= c_bytes;
      blocks := blocks / 2;
    end loop;
    -- In one statement: a task that is retried meanwhile stores its payload anew, and keeps that.
    execute format('delete from payloads where task = any (array('
                   'select id from %s where ctid >= $1 and ctid < $2 and payload is null))', p_day)
    using format('(%s,0)', v_from)::tid, format('(%s,0)', v_from + blocks)::tid;
    delete from attempts where task = any (expand_ids(v_gone.ids, v_gone.sizes));
    delete from logs where task = any (expand_ids(v_gone.ids, v_gone.sizes));
    perform delete_durable_traces(expand_ids(v_gone.ids, v_gone.sizes));
    -- Of a task that is retried at this moment the key is its own again; see retake_key().
    delete from keys
    using unnest(v_gone.ids, v_gone.queues, v_gone.keys) as ended (id, queue, key)
    where keys.queue = any (array[ended.queue]) and keys.key = ended.key and keys.task = ended.id
      and keys.until > '-infinity';
    update clearings set block = v_from + blocks where day = v_name;
  end if;
  is_clear := v_from + blocks >= v_end;
end;
$$;
