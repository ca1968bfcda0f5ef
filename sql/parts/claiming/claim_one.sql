-- claim_one() — queued → running: what claim() does for many, for one of a kind and version
--
-- For tasks that need no handler. Answers with nulls when there is none, or when more has to
-- be looked at than the next task: limits of the queue, turns, groups, a key to be given
-- back. Then claim() has the last word.

create or replace function claim_one(
  p_queue        text,
  p_kind         text,
  p_version      integer,
  p_worker       text,
  p_lease        interval,
  out id         bigint,
  out claim      bigint,
  out attempt    integer,
  out iteration  bigint,
  out priority   integer,
  out key        text,
  out created_at timestamptz,
  out run_at     timestamptz,
  out expires_at timestamptz,
  out payload    jsonb
)
  language plpgsql
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_now   timestamptz := clock_timestamp();
  v_token bigint;
  v_rules record;
  v_lane  integer;
begin
  if current_setting('transaction_isolation') in ('repeatable read', 'serializable') then
    perform hold_current_rules(p_queue);
  end if;
  if not pass_gate(p_queue) then
    return;
  end if;
  select common.has_grants, own.paused_at is null and not coalesce(own.is_counted or own.is_fair, false) as is_plain,
         coalesce(own.records_events, false) or coalesce(common.followed_until > v_now, false) as is_followed,
         array(select distinct lanes.priority from lanes where lanes.queue = p_queue order by lanes.priority desc) as lanes
  into v_rules
  from queues as common
  left join queues as own on own.name = p_queue
  where common.name = '*';
  if v_rules.has_grants then
    perform require_queues('consume', array[p_queue]);
  end if;
  if not v_rules.is_plain then
    return;
  end if;

  v_token := nextval('claim_ids');
  foreach v_lane in array v_rules.lanes loop
    update tasks
    set claim   = v_token,
        attempt = tasks.attempt + 1
    from (
      select tasks.ctid as place
      from tasks
      where tasks.queue = p_queue
        and tasks.parked_on is null
        and tasks.turn is null
        and tasks.priority = v_lane
        and tasks.run_at <= v_now
        and tasks.claim is null
        and (tasks.deadline is null or tasks.deadline > v_now)
        and tasks.kind = p_kind and tasks.handler is null and tasks.version = p_version
      order by tasks.run_at, tasks.id
      limit 1
      for no key update skip locked
    ) as due
    where tasks.ctid = due.place and tasks.groups is null and tasks.frees_key is null
    returning tasks.id, tasks.claim, tasks.attempt, tasks.iteration, tasks.priority, tasks.key, tasks.created_at,
              tasks.run_at, v_now + p_lease, tasks.payload
    into id, claim, attempt, iteration, priority, key, created_at, run_at, expires_at, payload;
    exit when found;
  end loop;
  if id is null then
    return;
  end if;

  insert into claims (id, queue, worker, claimed_at, expires_at, open, tasks)
  values (v_token, p_queue, p_worker, v_now, v_now + p_lease, 1, array[claim_one.id]);
  insert into deltas (queue, claimed) values (p_queue, 1);
  if v_rules.is_followed then
    perform note_events('claim', array[id], array[p_queue]);
  end if;
end;
$$;
