-- The priorities in use per queue, which claims read one by one.

-- open_lanes() — makes sure that claim() will look at these priorities of these queues
--
-- A lane that is not seen here may have been opened by a transaction still under way;
-- then it is opened twice. So is one that close_lanes() has marked, one that gets its first
-- pack, and every lane in a transaction that sees the past: its snapshot may be older than
-- the mark.
--
-- A claim looks at every lane of its queue. A producer that could open as many as there
-- are integers would slow down all claims, so their number has a bound.

create or replace function open_lanes(p_queues text[], p_priorities integer[], p_has_packs boolean default false)
  returns void
  language plpgsql
as $$
declare
  v_queue text;
begin
  with opened as (
    insert into lanes (queue, priority, has_packs)
    select p_queues[i], coalesce(p_priorities[i], 0), p_has_packs
    from generate_subscripts(p_queues, 1) as i
    where current_setting('transaction_isolation') not in ('read committed', 'read uncommitted')
       or not exists (
         select from lanes
         where queue = p_queues[i] and priority = coalesce(p_priorities[i], 0) and closing_by is null
           and has_packs >= p_has_packs
       )
    group by 1, 2
    returning queue, priority
  )
  select array_agg(distinct queue) into p_queues
  from opened
  -- What was opened just now is not seen here.
  where not exists (select from lanes where lanes.queue = opened.queue and lanes.priority = opened.priority);
  if p_queues is null then
    return;
  end if;
  select queue into v_queue
  from lanes
  where queue = any (p_queues)
  group by queue
  having count(distinct priority) > bound('lanes')
  limit 1;
  if found then
    perform refuse('TK004', format('queue %s has tasks of %s priorities already', v_queue, bound('lanes')),
                   'Use fewer distinct priorities. To order tasks by time, give them a run_at. Priorities that no task '
                   'has are forgotten within minutes.');
  end if;
end;
$$;

-- close_lanes() — removes the lanes of queues with many that no task uses; answers how many
--
-- A producer that saw its lane stores its task without opening it, and may commit at any
-- later time. So a lane is removed in three steps, each in a transaction of its own:
--
--   1. It is marked. Who sees the mark opens the lane anew, as a row of its own.
--   2. The mark is committed. Who looked at the lane without seeing it holds a lock on the
--      table lanes until its end, as after every look: these transactions are noted.
--   3. They have all ended, and what they stored can be seen. Without a task the lane is
--      removed, otherwise the mark is.
--
-- No caller waits for another, and claims look at lanes that are marked as well. Only at read
-- committed: an older snapshot would not see the tasks of step 3. Queues with few lanes are
-- left alone, and one lane stays of each: by lanes people see which queues there are.

create or replace function close_lanes(p_limit integer)
  returns integer
  language plpgsql
as $$
declare
  c_few     constant integer := 16;
  v_queue   text;
  v_lookers text[];
  v_marked  tid[];
  v_unused  tid[];
  v_removed integer := 0;
begin
  if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
    return 0;
  end if;
  for v_queue in
    select queue from lanes group by queue having count(*) > c_few order by count(*) desc limit 10
  loop
    v_lookers := find_lane_readers();
    v_marked := array(
      select ctid from lanes
      where queue = v_queue and waits_for is not null and not waits_for && v_lookers
      limit p_limit
      for update skip locked);
    v_unused := find_unused_lanes(v_queue, v_marked);
    delete from lanes where ctid = any (v_unused);
    v_removed := v_removed + cardinality(v_unused);
    update lanes set closing_by = null, waits_for = null where ctid = any (v_marked) and ctid <> all (v_unused);

    v_marked := array(
      select ctid from lanes
      where queue = v_queue and closing_by <> pg_current_xact_id() and waits_for is null
      limit p_limit
      for update skip locked);
    -- Only now, in a statement of its own: the marks that were found are committed.
    v_lookers := find_lane_readers();
    update lanes set waits_for = v_lookers where ctid = any (v_marked);

    v_marked := array(
      select ctid from lanes
      where queue = v_queue and closing_by is null
        and priority <> (select priority from lanes where queue = v_queue
                         order by abs(priority::bigint), priority limit 1)
      limit p_limit
      for update skip locked);
    update lanes set closing_by = pg_current_xact_id() where ctid = any (find_unused_lanes(v_queue, v_marked));
  end loop;
  return v_removed;
end;
$$;

-- find_lane_readers() — the transactions of others that have looked at lanes and have not ended
--
-- A statement locks the tables it reads before it takes its snapshot, and the locks are kept
-- until the end of the transaction. Postgres shows them to every role.

create or replace function find_lane_readers()
  returns text[]
  language sql
  volatile
as $$
  select coalesce(array_agg(distinct virtualtransaction), '{}')
  from pg_locks
  where locktype = 'relation' and relation = 'lanes'::regclass and pid is distinct from pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database());
$$;

-- find_unused_lanes() — which of these lanes of a queue no task uses, whatever it waits for
--
-- Of what is parked or waits for its turn, priorities cannot be the start of an index scan: they
-- are read once for all lanes.

create or replace function find_unused_lanes(p_queue text, p_lanes tid[])
  returns tid[]
  language plpgsql
as $$
declare
  v_unused tid[];
  v_used   integer[];
begin
  v_unused := array(
    select lanes.ctid
    from lanes
    where lanes.ctid = any (p_lanes)
      and not exists (
        select from tasks
        where tasks.queue = p_queue and parked_on is null and turn is null and tasks.priority = lanes.priority));
  if v_unused = '{}' then
    return v_unused;
  end if;
  v_used := array(
    select priority from tasks where parked_on is not null and queue = p_queue
    union
    select priority from tasks where turn is not null and queue = p_queue);
  return array(select ctid from lanes where ctid = any (v_unused) and priority <> all (v_used));
end;
$$;
