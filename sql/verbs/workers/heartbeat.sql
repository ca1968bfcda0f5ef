-- heartbeat() — a worker says that it lives, renews its leases and hears what it lost
--
-- One statement for everything the worker holds (p_ids under p_claims). Tasks in
-- p_started are marked as started, so that people see what runs and what merely
-- waits in a buffer. Answers with the tasks that are no longer the worker's, which
-- it must stop, and whether an operator asked it to drain. Never waits for a row: what another
-- transaction holds is passed over, and a lease that is held so is renewed beside its row
-- (extend()).

create or replace function heartbeat(
  p_worker  text,
  p_ids     bigint[],
  p_claims  bigint[],
  p_started bigint[] default '{}',
  p_lease   interval default '15 seconds',
  p_state   jsonb    default null,
  out lost     bigint[],
  out draining boolean
)
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_outcomes(p_ids, p_claims);
  perform require_tasks('consume', p_ids);
  perform check_size('state', 'the state of the worker', p_state);
  perform extend(array(select distinct unnest(p_claims)), p_lease);

  update workers
  set beat_at = clock_timestamp(),
      state   = coalesce(p_state, state)
  where id = (select id from workers where id = p_worker for no key update skip locked)
  returning draining_at is not null into draining;
  if not found then
    select draining_at is not null into draining from workers where id = p_worker;
  end if;
  if not found then
    perform refuse('TK004', format('worker %s is not registered', coalesce(left(p_worker, bound('name')), 'null')),
                   'Call register_worker(), also again: a worker that was silent for long is forgotten.');
  end if;

  perform split_live_packs(p_started, false);
  -- Waits for no lock: a task that is locked is just being ended.
  update tasks
  set started_at = clock_timestamp()
  where ctid = any (array(
    select tasks.ctid
    from unnest(p_ids, p_claims) as held (id, claim)
    join tasks on tasks.id = any (array[held.id]) and tasks.claim = held.claim and tasks.started_at is null
      and tasks.size = 1
    where held.id = any (p_started)
    for no key update of tasks skip locked
  ));

  lost := array(
    select held.id
    from unnest(p_ids, p_claims) as held (id, claim)
    left join tasks on tasks.id = any (array[held.id]) and tasks.claim = held.claim
    where tasks.id is null
      and not exists (
        select from tasks as pack
        where pack.id = any (array[find_row(held.id)]) and pack.claim = held.claim)
  );
end;
$$;
