-- Which document a worker speaks of, and whether it holds it.

-- hold() — finds and locks an active document for the caller that may end its run
--
-- A caller that ends it by its claim, and gets an error when that claim is lost, needs
-- no lock (p_locks).
--
-- Nothing is found when the document is not active, or when the caller lost it. With
-- a token that is certain. Without one the caller is distinguished from the others by its
-- session and its application:
--
--   its session picked it                  it is the holder
--   its session lost it in this round      it is late
--   another session of the holder's application and address: the holder's pool
--   a session of a loser's application and address, not the holder's: late
--   no session lost it                     no other session to confuse the caller with

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
    select live_task.id, live_task.claim, live_task.version, task_claim.expires_at, task_claim.worker,
           live_task.iteration
    into task, claim, version, locked_until, v_worker, v_iteration
    from task_key
    join live_task on live_task.id = any (array[task_key.task])
    join task_claim on task_claim.id = any (array[live_task.claim])
    where task_key.queue = p_queue and task_key.key = p_subject and live_task.kind = 'document'
    for no key update of live_task;
  else
    select live_task.id, live_task.claim, live_task.version, task_claim.expires_at, task_claim.worker,
           live_task.iteration
    into task, claim, version, locked_until, v_worker, v_iteration
    from task_key
    join live_task on live_task.id = any (array[task_key.task])
    join task_claim on task_claim.id = any (array[live_task.claim])
    where task_key.queue = p_queue and task_key.key = p_subject and live_task.kind = 'document';
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
  -- Nearly always no session ever lost it.
  perform from failed_attempt where failed_attempt.task = hold.task and failed_attempt.reason = 'lost';
  if not found then
    return;
  end if;
  v_caller := caller();
  if v_worker = v_caller then
    return;
  end if;
  perform
  from failed_attempt
  where failed_attempt.task = hold.task and failed_attempt.reason = 'lost'
    and ((failed_attempt.iteration = v_iteration and right(failed_attempt.worker, 36) = right(v_caller, 36))
         or (left(failed_attempt.worker, -37) = left(v_caller, -37) and left(v_worker, -37) <> left(v_caller, -37)));
  if found then
    raise log 'fetchq: document % of queue % was given to %, % comes too late', p_subject, p_queue, v_worker, v_caller;
    task := null;
  end if;
end;
$$;

-- task_of() — the task of a document, also of one that ended: its subject stays taken as long as it is kept
--
-- A query of the view document for one document names the task with it. Then every table is
-- looked up by a value that is known; joined by subject alone, one that was planned on
-- empty tables would read them from end to end.

create or replace function task_of(p_queue text, p_subject text)
  returns bigint
  language sql
  stable
as $$
  select task from task_key where queue = p_queue and key = p_subject;
$$;
