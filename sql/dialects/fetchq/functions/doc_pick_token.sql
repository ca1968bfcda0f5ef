-- doc_pick_token() — doc_pick() with the token of the lock in front
--
-- Not in the original. Every action takes the token as its last argument; then nobody
-- who lost a document can end its run, whatever pool the call came through.

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
  if par_limit = 1 then
    select picked.token, picked.subject, picked.payload, par_version, picked.priority, picked.attempts, picked.iterations,
           picked.created_at, picked.last_iteration, picked.next_iteration
    into token, subject, payload, version, priority, attempts, iterations, created_at, last_iteration, next_iteration
    from pick_document(par_queue, par_version, par_duration) as picked;
    if token is not null then
      return next;
      return;
    end if;
  end if;
  return query select * from pick_documents(par_queue, par_version, par_limit, par_duration);
end;
$$;
