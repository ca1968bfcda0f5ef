-- hold() — finds and locks an active document for whoever may end its run
--
-- Whoever ends it by its claim, and is told when that does not hold it any more, needs
-- no lock (p_locks).
--
-- Nothing is found when the document is not active, or when the caller lost it. With
-- a token that is certain. Without one the caller is told from the others by its
-- session and its application:
--
--   its session picked it                  it is the holder
--   its session lost it in this round      it is late
--   another session of the holder's application and address: the holder's pool
--   a session of a loser's application and address, not the holder's: late
--   nobody lost it                         there is nobody to confuse the caller with

create or replace function hold(
  p_queue text, p_subject text, p_token bigint, p_locks boolean default true,
  out task bigint, out claim bigint, out version integer, out locked_until timestamptz
)
  language plpgsql
as $$
#variable_conflict use_column
declare
  v_worker    text;
  v_iteration bigint;
  v_caller    text;
begin
  if p_locks then
    select tasks.id, tasks.claim, tasks.version, claims.expires_at, claims.worker, tasks.iteration
    into task, claim, version, locked_until, v_worker, v_iteration
    from keys
    join tasks on tasks.id = any (array[keys.task])
    join claims on claims.id = any (array[tasks.claim])
    where keys.queue = p_queue and keys.key = p_subject and tasks.kind = 'document'
    for no key update of tasks;
  else
    select tasks.id, tasks.claim, tasks.version, claims.expires_at, claims.worker, tasks.iteration
    into task, claim, version, locked_until, v_worker, v_iteration
    from keys
    join tasks on tasks.id = any (array[keys.task])
    join claims on claims.id = any (array[tasks.claim])
    where keys.queue = p_queue and keys.key = p_subject and tasks.kind = 'document';
  end if;
  if task is null then
    return;
  end if;

  if p_token is not null then
    if p_token <> claim then
      task := null;
    end if;
    return;
  end if;
  -- Nearly always nobody ever lost it.
  perform from attempts where attempts.task = hold.task and attempts.reason = 'lost';
  if not found then
    return;
  end if;
  v_caller := caller();
  if v_worker = v_caller then
    return;
  end if;
  perform
  from attempts
  where attempts.task = hold.task and attempts.reason = 'lost'
    and ((attempts.iteration = v_iteration and right(attempts.worker, 36) = right(v_caller, 36))
         or (left(attempts.worker, -37) = left(v_caller, -37) and left(v_worker, -37) <> left(v_caller, -37)));
  if found then
    raise log 'fetchq: document % of queue % was given to %, % comes too late', p_subject, p_queue, v_worker, v_caller;
    task := null;
  end if;
end;
$$;
