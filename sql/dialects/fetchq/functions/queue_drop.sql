-- queue_drop() — a queue with all its documents, logs and counters → gone

create or replace function queue_drop(par_queue varchar, out was_dropped boolean, out queue_id integer)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_name varchar := lower(par_queue);
begin
  was_dropped := false;
  perform close_queue(v_name);
  select id into queue_id from queues where name = v_name;
  if not found then
    raise log 'fetchq: nothing was dropped: there is no queue %', par_queue;
    return;
  end if;
  perform lock_books();
  -- Waits for maintenance of this queue before it holds what that may wait for.
  delete from jobs where queue = v_name;
  perform empty_queue(v_name);
  perform drop_relations(v_name);
  delete from doc_logs where queue = v_name;
  delete from doc_metrics where queue = v_name;
  delete from metrics where queue = v_name;
  delete from metrics_writes where queue = v_name;
  delete from queues where name = v_name;
  perform set_queue(v_name, '{"keeps_keys": false, "max_attempts": null, "max_payload": null, "keep_done": null,
                              "keep_failed": null, "keep_cancelled": null}');
  perform pg_notify('fetchq_queue_drop', v_name);
  was_dropped := true;
end;
$$;
