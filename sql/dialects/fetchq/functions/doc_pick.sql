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
  if par_limit = 1 then
    select picked.subject, picked.payload, par_version, picked.priority, picked.attempts, picked.iterations,
           picked.created_at, picked.last_iteration, picked.next_iteration
    into subject, payload, version, priority, attempts, iterations, created_at, last_iteration, next_iteration
    from pick_document(par_queue, par_version, par_duration) as picked;
    if subject is not null then
      return next;
      return;
    end if;
  end if;
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
