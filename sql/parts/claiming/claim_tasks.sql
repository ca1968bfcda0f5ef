-- claim_tasks() — queued → running, for claim(), which has passed the gate
--
-- With p_waits it waits for the rows of groups that others hold at this moment, in their
-- order; without, tasks of such groups are left to later claims.

create or replace function claim_tasks(
  p_queue           text,
  p_limit           integer,
  p_worker          text,
  p_lease           interval,
  p_kinds           text[],
  p_handlers        text[],
  p_versions_from   integer[],
  p_versions_to     integer[],
  p_from_priorities integer[],
  p_from_times      timestamptz[],
  p_waits           boolean
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
as $$
#variable_conflict use_column
declare
  v_now    timestamptz := clock_timestamp();
  v_worker text := coalesce(p_worker, submitter() || ':' || pg_backend_pid());
  v_rules  record;
  v_token  bigint;
  v_tids   tid[];
  v_ids    bigint[];
  v_more   record;
  v_frees  boolean := false;
begin
  select common.has_grants, own.paused_at, coalesce(own.is_counted, false) as is_counted, coalesce(own.is_fair, false) as is_fair,
         coalesce(own.records_events, false) or coalesce(common.followed_until > v_now, false) as is_followed,
         coalesce(own.max_attempts, common.max_attempts) as max_attempts,
         coalesce(own.group_max_running, common.group_max_running) as group_max_running
  into v_rules
  from queues as common
  left join queues as own on own.name = p_queue
  where common.name = '*';
  if v_rules.has_grants then
    perform require_queues('consume', array[p_queue]);
  end if;
  if v_rules.paused_at is not null then
    return;
  end if;
  if v_rules.is_counted then
    if lock_groups(array['@' || p_queue], v_now, p_waits) is null then
      return;
    end if;
    select least(p_limit, group_room(held, null, null, v_now)) into p_limit
    from groups as held
    where held.name = '@' || p_queue;
  end if;
  if p_limit = 0 then
    return;
  end if;

  if v_rules.is_fair then
    select picked.tids, picked.ids into v_tids, v_ids
    from pick_in_turn(
      p_queue, p_limit, v_rules.group_max_running, p_kinds, p_handlers, p_versions_from, p_versions_to, p_waits, v_now) as picked;
    v_frees := true;
  end if;
  if coalesce(cardinality(v_tids), 0) < p_limit then
    v_more := pick(
      p_queue, p_limit - coalesce(cardinality(v_tids), 0), v_rules.group_max_running, p_kinds, p_handlers,
      p_versions_from, p_versions_to, p_from_priorities, p_from_times, p_waits and not v_rules.is_fair, v_now);
    v_tids := v_tids || v_more.tids;
    v_ids := v_ids || v_more.ids;
    v_frees := v_frees or v_more.frees_keys;
  end if;
  -- Enqueued by a transaction that did not know that the queue was fair no more. Two
  -- conditions, for the second is a statement.
  if cardinality(v_tids) < p_limit and not v_rules.is_fair then
    if exists (select from tasks where queue = p_queue and turn is not null) then
      v_more := pick_in_turn(
        p_queue, p_limit - cardinality(v_tids), v_rules.group_max_running, p_kinds, p_handlers, p_versions_from,
        p_versions_to, false, v_now);
      v_tids := v_tids || v_more.tids;
      v_ids := v_ids || v_more.ids;
      v_frees := true;
    end if;
  end if;
  if cardinality(v_tids) < p_limit then
    if exists (select from groups where is_owed) then
      perform pay_groups();
    end if;
  end if;
  if cardinality(v_tids) = 0 then
    return;
  end if;
  if v_rules.is_counted then
    perform charge_groups(array['@' || p_queue], array[cardinality(v_tids)], v_now);
  end if;

  insert into claims (queue, worker, claimed_at, expires_at, open, tasks)
  values (p_queue, v_worker, v_now, v_now + p_lease, cardinality(v_ids), v_ids)
  returning id into v_token;
  insert into deltas (queue, claimed) values (p_queue, cardinality(v_ids));

  -- In the order in which they were picked, without a sort: the join reads the rows
  -- one by one, as the array names them.
  return query
    update tasks
    set claim   = v_token,
        attempt = tasks.attempt + 1
    from unnest(v_tids) as picked (tid)
    where tasks.ctid = picked.tid
    returning tasks.id, tasks.claim, tasks.attempt, coalesce(tasks.max_attempts, v_rules.max_attempts),
              tasks.iteration, tasks.priority, tasks.version, tasks.kind, tasks.queue, tasks.handler, tasks.key,
              tasks.groups, tasks.tags, tasks.parent, tasks.created_at, tasks.run_at, tasks.deadline,
              tasks.timeout, v_now + p_lease, tasks.meta, tasks.payload;

  if v_frees then
    -- One that another transaction holds is given back when its task ends.
    delete from keys
    where ctid = any (array(
      select keys.ctid
      from tasks
      join keys on keys.queue = any (array[tasks.queue]) and keys.key = any (array[tasks.key]) and keys.task = tasks.id
      where tasks.id = any (v_ids) and tasks.frees_key
      for update of keys skip locked
    ));
  end if;
  if v_rules.is_followed then
    perform note_events('claim', v_ids, array_fill(p_queue, array[cardinality(v_ids)]));
  end if;
end;
$$;
