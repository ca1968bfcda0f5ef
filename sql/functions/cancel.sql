-- cancel(): queued | running → cancelled
--
-- Takes effect at once. Whoever runs the task has lost its lease: it is told by
-- NOTIFY, or at its next heartbeat, and its result will be refused.

create or replace function cancel(p_id bigint)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform from cancel_many(array[p_id]);
  perform require_state(p_id, found, 'cancelled', 'queued or running');
end;
$$;
