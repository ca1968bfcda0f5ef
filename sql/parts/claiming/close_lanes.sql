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
    v_lookers := lane_lookers();
    v_marked := array(
      select ctid from lanes
      where queue = v_queue and waits_for is not null and not waits_for && v_lookers
      limit p_limit
      for update skip locked);
    v_unused := unused_lanes(v_queue, v_marked);
    delete from lanes where ctid = any (v_unused);
    v_removed := v_removed + cardinality(v_unused);
    update lanes set closing_by = null, waits_for = null where ctid = any (v_marked) and ctid <> all (v_unused);

    v_marked := array(
      select ctid from lanes
      where queue = v_queue and closing_by <> pg_current_xact_id() and waits_for is null
      limit p_limit
      for update skip locked);
    -- Only now, in a statement of its own: the marks that were found are committed.
    v_lookers := lane_lookers();
    update lanes set waits_for = v_lookers where ctid = any (v_marked);

    v_marked := array(
      select ctid from lanes
      where queue = v_queue and closing_by is null
        and priority <> (select priority from lanes where queue = v_queue order by abs(priority::bigint), priority limit 1)
      limit p_limit
      for update skip locked);
    update lanes set closing_by = pg_current_xact_id() where ctid = any (unused_lanes(v_queue, v_marked));
  end loop;
  return v_removed;
end;
$$;
