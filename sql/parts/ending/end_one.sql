-- end_one() — running → done | failed, or gone: what finish() does for many, for one
--
-- Named by its id and claim, or by a key that its queue keeps: then it is a document, and
-- without a claim it has to be the first attempt of a document that nobody ever lost.
-- Without a state it is deleted, with all that was noted about it; so is one that its queue
-- does not keep. One that failed is given up: its attempt is written down as end_attempts()
-- does, and no other follows.
--
-- A statement with four parts that each handle arrays takes longer to begin than a task
-- takes to end. Nulls when the claim does not hold the task: then nothing was changed.
-- free_keys() says when a key is kept, settle() what becomes of claims.

create or replace function end_one(
  p_state        text,
  p_id           bigint,
  p_claim        bigint,
  p_queue        text        default null,
  p_key          text        default null,
  p_output       jsonb       default null,
  p_reason       text        default null,
  p_error        jsonb       default null,
  p_started_at   timestamptz default null,
  out id         bigint,
  out version    integer,
  out expires_at timestamptz
)
  language plpgsql
  set search_path from current
as $$
#variable_conflict use_column
declare
  v_now    timestamptz := clock_timestamp();
  v_task   tasks;
  v_held   record;
  v_began  timestamptz;
  v_waited boolean;
  v_kept   boolean;
begin
  if p_key is null then
    delete from tasks where id = p_id and claim = p_claim returning * into v_task;
  else
    delete from tasks
    using keys
    where keys.queue = p_queue and keys.key = p_key and keys.until = 'infinity'
      and tasks.id = any (array[keys.task]) and tasks.kind = 'document' and tasks.claim is not null
      and (tasks.claim = p_claim
           or (p_claim is null and tasks.attempt = 1
               -- One row, by index: of "not exists" a hash over all attempts would be made.
               and (select true from attempts where attempts.task = tasks.id and attempts.reason = 'lost' limit 1) is null))
    returning tasks.* into v_task;
  end if;
  if not found then
    return;
  end if;

  -- Asked only now, with the task in hand; see settle().
  select common.has_grants, claims.worker, claims.claimed_at, claims.expires_at, claims.open = 1 as is_last,
         case p_state
           when 'done' then coalesce(v_task.retention, own.keep_done, common.keep_done)
           when 'failed' then coalesce(v_task.retention, own.keep_failed, common.keep_failed)
         end as keep,
         coalesce(own.keeps_keys, false) as keeps_keys,
         coalesce(own.records_events, false) or coalesce(common.followed_until > v_now, false) as is_followed,
         coalesce(own.is_counted, false) as is_counted
  into v_held
  from queues as common
  left join queues as own on own.name = v_task.queue
  left join claims on claims.id = v_task.claim
  where common.name = '*';
  if v_held.has_grants then
    perform require_queues('consume', array[v_task.queue]);
  end if;

  p_error := cut_error(p_error);
  v_began := coalesce(likely_time(p_started_at), v_task.started_at, v_held.claimed_at);
  v_kept := coalesce(v_held.keep > interval '0', false);
  if v_kept then
    insert into finished (
      id, created_at, run_at, started_at, finished_at, keep_until, deadline, parent, iteration, priority, version,
      attempt, max_attempts, max_running, frees_key, timeout, retention, state, reason, kind, queue, key, handler, submitted_by,
      worker, groups, tags, backoff, meta, payload, output, error
    )
    values (
      v_task.id, v_task.created_at, v_task.run_at, v_began, v_now, v_now + v_held.keep, v_task.deadline, v_task.parent, v_task.iteration, v_task.priority, v_task.version,
      v_task.attempt, v_task.max_attempts, v_task.max_running, v_task.frees_key, v_task.timeout, v_task.retention, p_state, p_reason,
      v_task.kind, v_task.queue, v_task.key, v_task.handler, v_task.submitted_by, v_held.worker, v_task.groups,
      v_task.tags, v_task.backoff, v_task.meta, v_task.payload, p_output, p_error
    );
  end if;
  insert into deltas (queue, done, failed, cancelled, due_ats, started_ats)
  values (v_task.queue, case p_state when 'done' then 1 else 0 end, case p_state when 'failed' then 1 else 0 end,
          case when p_state is null then 1 else 0 end, array[v_task.run_at], array[v_began])
  returning exists (select from waiters where task = v_task.id) into v_waited;

  if p_state is distinct from 'done' or not v_kept then
    if not v_kept then
      delete from attempts where task = v_task.id;
      delete from logs where task = v_task.id;
    else
      insert into attempts (task, iteration, attempt, started_at, ended_at, worker, reason, error)
      values (v_task.id, v_task.iteration, v_task.attempt, v_began, v_now, v_held.worker, p_reason, p_error);
    end if;
    if p_state = 'failed' then
      insert into failures (at, queue, task, reason, code, message)
      values (v_now, v_task.queue, v_task.id, p_reason, error_code(p_error), left(error_message(p_error), 1000));
    end if;
  end if;
  if v_task.key is not null and (p_key is null or not v_kept or not v_held.keeps_keys) then
    if p_state is null then
      delete from keys where queue = v_task.queue and key = v_task.key and task = v_task.id;
    elsif v_held.keeps_keys and v_kept then
      update keys set until = 'infinity'
      where queue = v_task.queue and key = v_task.key and task = v_task.id and until < 'infinity';
    else
      delete from keys
      where queue = v_task.queue and key = v_task.key and task = v_task.id and (until <= v_now or until = 'infinity');
    end if;
  end if;
  if v_task.groups is not null or v_held.is_counted then
    perform settle(array[v_task.claim], array[v_task.queue], array[v_task.groups::text], v_now);
  else
    if v_held.is_last then
      delete from claims where id = (select id from claims where id = v_task.claim and open = 1 for update skip locked);
    else
      update claims set open = open - 1
      where id = (select id from claims where id = v_task.claim and open > 1 for no key update skip locked);
    end if;
    -- Others end tasks of the same claim at this moment; the last of them removes it.
    if not found then
      perform count_down(array[v_task.claim]);
    end if;
  end if;
  if v_held.is_followed then
    perform note_events(
      case p_state when 'done' then 'complete' when 'failed' then 'fail' else 'delete' end,
      array[v_task.id], array[v_task.queue]);
  end if;
  if v_waited then
    perform tell_waiters(array[v_task.id]);
  end if;
  id := v_task.id;
  version := v_task.version;
  expires_at := v_held.expires_at;
end;
$$;
