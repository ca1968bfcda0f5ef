-- Documents: pick and extend.

-- doc_pick() — Fetchq's word for claim: due documents, locked for a duration
--
-- The columns are those after the pick: attempts counts this one, next_iteration is
-- the end of the lock. Rows come in the order of priority, then time.

create or replace function doc_pick(par_queue varchar, par_version integer, par_limit integer, par_duration varchar)
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
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  return query
    select picked.subject, picked.payload, picked.version, picked.priority, picked.attempts, picked.iterations,
           picked.created_at, picked.last_iteration, picked.next_iteration, picked.lock_upgrade
    from pick_documents(par_queue, par_version, par_limit, par_duration) as picked;
end;
$$;

create or replace function doc_pick(par_queue varchar, par_duration varchar)
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
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  return query select * from doc_pick(par_queue, 0, 1, par_duration);
end;
$$;

create or replace function doc_pick(par_queue varchar, par_limit integer)
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
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  return query select * from doc_pick(par_queue, 0, par_limit, '5m');
end;
$$;

create or replace function doc_pick(par_queue varchar)
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
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  return query select * from doc_pick(par_queue, 0, 1, '5m');
end;
$$;

-- doc_pick_token() — doc_pick() with the token of the lock in front
--
-- Not in the original. Every action takes the token as its last argument; then no caller
-- that lost a document can end its run, whatever pool the call came through.

create or replace function doc_pick_token(
  par_queue varchar, par_version integer default 0, par_limit integer default 1, par_duration varchar default '5m'
)
  returns table (
    token          bigint,
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
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  return query select * from pick_documents(par_queue, par_version, par_limit, par_duration);
end;
$$;

-- doc_extend() — active, with its lock moved to a duration from now
--
-- Not in the original. The lock is that of the whole pick.

create or replace function doc_extend(
  par_queue varchar, par_subject varchar, par_duration varchar, par_token bigint default null, out affected_rows integer
)
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_queue queues   := require_queue(par_queue);
  v_lock  interval := read_interval(par_duration);
  v_held  record;
begin
  if v_lock is null or v_lock <= interval '0' then
    perform refuse('TK004', format('%L is not a lock duration', par_duration), 'Write ''5m'' or ''1 hour''.');
  end if;
  v_held := hold(v_queue.name, unescape(par_subject, keeps_quotes(v_queue.config)), par_token);
  affected_rows := 0;
  if v_held.task is not null then
    select count(*) into affected_rows from extend(array[v_held.claim], v_lock);
  end if;
end;
$$;
