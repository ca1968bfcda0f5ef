-- queue_top() — documents of one version, whatever their status, in the order they came

create or replace function queue_top(par_queue varchar, par_version integer, par_limit integer, par_offset integer)
  returns table (
    subject        varchar,
    payload        jsonb,
    version        integer,
    priority       integer,
    attempts       integer,
    iterations     bigint,
    created_at     timestamptz,
    last_iteration timestamptz,
    next_iteration timestamptz,
    lock_upgrade   timestamptz
  )
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_queue queues := require_queue(par_queue);
begin
  return query
    select subject, payload, version, priority, attempts, iterations, created_at, last_iteration, next_iteration,
           lock_upgrade
    from document
    where queue = v_queue.name and version = par_version
    order by task
    limit par_limit
    offset par_offset;
end;
$$;
