-- explain_queues() — which queues have due tasks that cannot start, and why
--
--   select queue, message from explain_queues();
--
-- As explain() says of the first task in line. Reasons that pass by themselves within moments
-- (behind, workers_busy, next) are left out: such a queue moves. Without names, all queues that the
-- caller may operate.

create or replace function explain_queues(p_queues text[] default null)
  returns table (queue text, code text, message text, hint text, data jsonb)
  language plpgsql
  stable
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  c_passing constant text[] := '{behind,workers_busy,next}';
  v_now   timestamptz := clock_timestamp();
  v_queue text;
begin
  perform check_list('p_queues', p_queues);
  for v_queue in
    select known.name
    from (
      select distinct lanes.queue as name from lanes where p_queues is null or lanes.queue = any (p_queues)
    ) as known
    where not has_grants() or known.name = any (operable(array[known.name]))
    order by known.name
  loop
    return query
      select v_queue, reason.code, reason.message, reason.hint, reason.data
      from find_first_due(v_queue, v_now) as head
      cross join lateral explain_row(head, 0, v_now) as reason
      where head.id is not null and reason.code <> all (c_passing);
  end loop;
end;
$$;

-- find_first_due() — the first due task of a queue that no worker holds: in line, or behind a group

create or replace function find_first_due(p_queue text, p_now timestamptz)
  returns tasks
  language plpgsql
  stable
as $$
declare
  v_row tasks;
begin
  select line.* into v_row
  from (select distinct priority from lanes where queue = p_queue) as lane
  cross join lateral (
    select tasks.* from tasks
    where queue = p_queue and parked_on is null and turn is null and tasks.priority = lane.priority
      and run_at <= p_now and claim is null
    order by run_at, id
    limit 1
  ) as line
  order by line.priority desc
  limit 1;
  if not found then
    select tasks.* into v_row from tasks
    where queue = p_queue and turn is not null and run_at <= p_now and claim is null
    limit 1;
  end if;
  if not found then
    -- As queue_stats: of what is parked, 10,000 rows are looked at.
    select parked.* into v_row
    from (select tasks.* from tasks where parked_on is not null limit 10000) as parked
    where parked.queue = p_queue
    limit 1;
  end if;
  return v_row;
end;
$$;
