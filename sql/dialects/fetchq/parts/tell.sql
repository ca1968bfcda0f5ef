-- tell() — notifies whoever listens to a queue that asked for it, once per document
--
-- Of many documents in one call the first hundred are named: who listens wakes up,
-- and the commit does not take long over thousands.

create or replace function tell(p_queue queues, p_event text, variadic p_subjects text[])
  returns void
  language plpgsql
as $$
begin
  if is_told(p_queue.config) then
    perform pg_notify('fetchq__' || p_queue.name || '__' || p_event, subject)
    from unnest(p_subjects) as told (subject)
    limit 100;
  end if;
end;
$$;
