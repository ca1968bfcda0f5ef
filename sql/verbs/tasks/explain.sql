-- explain() — why a task waits; no rows for a task that runs or has ended
--
--   select code, message, hint from explain(42);
--
-- The reason to look at first comes first. `code` is one of waiting, deadline_passed, not_due, retrying,
-- queue_paused, group_paused, no_worker, no_runner, no_handler, no_version, queue_full, group_full,
-- queue_rate_limited, group_rate_limited, workers_busy, behind and next. `data` has the values of
-- the sentence.

create or replace function explain(p_id bigint)
  returns table (code text, message text, hint text, data jsonb)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
declare
  v_id  bigint := find_row(p_id);
  v_row tasks;
begin
  if v_id is null then
    perform refuse_unknown(p_id);
  end if;
  perform require_tasks('operate', array[p_id]);
  select * into v_row from tasks where id = v_id;
  if not found then
    return;
  end if;
  return query select * from explain_row(v_row, (p_id - v_id)::integer, clock_timestamp());
end;
$$;
