-- queue_truncate() — all documents of a queue → gone, and its counters as they are then
--
-- With par_empty its logs and snapshots too, and its jobs begin anew. Takes no lock on
-- whole tables.

create or replace function queue_truncate(par_queue varchar, par_empty boolean, out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues := require_queue(par_queue);
begin
  perform lock_books();
  -- Waits for maintenance of this queue before it holds what that may wait for.
  perform from jobs where queue = v_queue.name order by id for update;
  perform empty_queue(v_queue.name);
  if par_empty then
    delete from doc_logs where queue = v_queue.name;
    delete from doc_metrics where queue = v_queue.name;
    update jobs
    set attempts       = 0,
        iterations     = 0,
        next_iteration = now(),
        last_iteration = null
    where queue = v_queue.name;
  end if;
  perform metric_reset(v_queue.name);
  success := true;
end;
$$;

create or replace function queue_truncate(par_queue varchar, out success boolean)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  success := queue_truncate(par_queue, false);
end;
$$;
