-- claim(): queued → running
--
-- Hands out up to p_limit due tasks of one queue under one lease, highest priority
-- first, then by time, then by arrival. The token comes with each task (claim);
-- every later word about the task must carry it. Rows that somebody else is
-- claiming are skipped, not waited for, so no two callers get the same task.
-- Nothing is handed out beyond the limits of the queue and of the task's groups.
--
-- p_kinds, and p_handlers with the versions each of them takes, keep away what the
-- caller cannot run. p_from_* are hints; see pick().

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
declare
  v_now    timestamptz := clock_timestamp();
  v_worker text := coalesce(p_worker, submitter() || ':' || pg_backend_pid());
  v_rules  queues;
  v_token  bigint;
  v_picked tid[];
begin
  perform check_claim(p_queue, p_limit, p_lease, p_handlers, p_versions_from, p_versions_to);
  -- Shared, so claims never wait for one another: only for set_queue() while it
  -- begins to count what runs in this queue.
  perform pg_advisory_xact_lock_shared(hashtext(current_schema()), hashtext(p_queue));
  v_rules := rules(p_queue);
  if v_rules.paused_at is not null then
    return;
  end if;
  if v_rules.is_counted then
    perform lock_groups(array['@' || p_queue], v_now);
    select least(p_limit, group_room(held, null, null, v_now)) into p_limit
    from groups as held
    where held.name = '@' || p_queue;
  end if;
  if p_limit = 0 then
    return;
  end if;

  if v_rules.is_fair then
    v_picked := pick_in_turn(
      p_queue, p_limit, v_rules.group_max_running, p_kinds, p_handlers, p_versions_from, p_versions_to, v_now);
  end if;
  if coalesce(cardinality(v_picked), 0) < p_limit then
    v_picked := v_picked || pick(
      p_queue, p_limit - coalesce(cardinality(v_picked), 0), v_rules.group_max_running, p_kinds, p_handlers,
      p_versions_from, p_versions_to, p_from_priorities, p_from_times, not v_rules.is_fair, v_now);
  end if;
  if cardinality(v_picked) = 0 then
    return;
  end if;
  if v_rules.is_counted then
    perform charge_groups(array['@' || p_queue], array[cardinality(v_picked)], v_now);
  end if;

  v_token := nextval('claim_ids');
  return query
    with taken as (
      update tasks
      set claim   = v_token,
          attempt = attempt + 1
      where ctid = any (v_picked)
      returning *
    ), held as (
      insert into claims (id, queue, worker, claimed_at, expires_at, open, tasks)
      select v_token, p_queue, v_worker, v_now, v_now + p_lease, count(*), array_agg(taken.id)
      from taken
    ), counted as (
      insert into deltas (queue, claimed)
      select p_queue, count(*) from taken
    ), freed as (
      delete from keys using taken
      where taken.frees_key and keys.queue = taken.queue and keys.key = taken.key and keys.task = taken.id
    )
    select taken.id, taken.claim, taken.attempt, coalesce(taken.max_attempts, v_rules.max_attempts),
           taken.iteration, taken.priority, taken.version, taken.kind, taken.queue, taken.handler, taken.key,
           taken.groups, taken.tags, taken.parent, taken.created_at, taken.run_at, taken.deadline,
           taken.timeout, v_now + p_lease, taken.meta, taken.payload
    from taken
    order by taken.priority desc, taken.run_at, taken.id;

  if v_rules.records_events then
    insert into events (event, task, queue)
    select 'claim', unnest(tasks), p_queue from claims where claims.id = v_token;
  end if;
end;
$$;
