-- claim(): queued → running
--
-- Hands out up to p_limit due tasks of one queue under one lease, highest priority
-- first, then by time, then by arrival. The token comes with each task (claim);
-- every later report about the task must carry it. Rows that another caller is
-- claiming are skipped, not waited for, so no two callers get the same task.
-- Nothing is handed out beyond the limits of the queue and of the task's groups.
--
-- A task of a group is passed over while another transaction holds the row of the group, as
-- those do for a moment that start or end a task of it. If that leaves nothing to start, the
-- claim waits for those rows; see claim_held().
--
-- p_kinds, and p_handlers with the versions each of them takes, keep away what the
-- caller cannot run. p_from_* are hints; see pick_tasks().

create or replace function claim(
  p_queue           text,
  p_limit           integer       default 1,
  p_worker          text          default null,
  p_lease           interval      default '15 seconds',
  p_kinds           text[]        default null,
  p_handlers        text[]        default null,
  p_versions_from   integer[]     default null,
  p_versions_to     integer[]     default null,
  p_from_priorities integer[]     default null,
  p_from_times      timestamptz[] default null
)
  returns table (
    id               bigint,
    claim            bigint,
    attempt          integer,
    max_attempts     integer,
    iteration        bigint,
    priority         integer,
    version          integer,
    kind             text,
    queue            text,
    handler          text,
    key              text,
    groups           text[],
    tags             text[],
    parent           bigint,
    created_at       timestamptz,
    run_at           timestamptz,
    deadline         timestamptz,
    timeout          interval,
    lease_expires_at timestamptz,
    meta             jsonb,
    payload          jsonb
  )
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  -- Asked here, so that a usual claim does not pay for the calls.
  if not is_usual_claim(p_queue, p_limit, p_worker, p_lease, p_handlers) then
    perform check_claim(p_queue, p_limit, p_lease, p_handlers, p_versions_from, p_versions_to);
    if length(p_worker) not between 1 and bound('name') then
      perform check_worker(p_worker);
    end if;
    if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
      perform lock_current_rules(p_queue);
    end if;
  end if;
  if not enter_gate(p_queue) then
    return;
  end if;
  return query
    select taken.id + n, taken.claim, taken.attempt, taken.max_attempts, taken.iteration, taken.priority,
           taken.version, taken.kind, taken.queue, taken.handler, taken.key, taken.groups, taken.tags, taken.parent,
           taken.created_at, taken.run_at, taken.deadline, taken.timeout, taken.lease_expires_at, taken.meta,
           case when taken.size = 1 then taken.payload else taken.payload -> n end
    from claim_tasks(
      p_queue, p_limit, p_worker, p_lease, p_kinds, p_handlers, p_versions_from, p_versions_to, p_from_priorities,
      p_from_times, false) as taken
    cross join lateral generate_series(0, taken.size - 1) as n;
  if found or coalesce(current_setting('tusk.met_held_group', true), '') = '' then
    return;
  end if;
  return query
    select taken.id + n, taken.claim, taken.attempt, taken.max_attempts, taken.iteration, taken.priority,
           taken.version, taken.kind, taken.queue, taken.handler, taken.key, taken.groups, taken.tags, taken.parent,
           taken.created_at, taken.run_at, taken.deadline, taken.timeout, taken.lease_expires_at, taken.meta,
           case when taken.size = 1 then taken.payload else taken.payload -> n end
    from claim_held(
      array[p_queue], p_limit, p_worker, p_lease, p_kinds, p_handlers, p_versions_from, p_versions_to,
      array[coalesce(cardinality(p_from_priorities), 0)], p_from_priorities, p_from_times) as taken
    cross join lateral generate_series(0, taken.size - 1) as n;
end;
$$;
