-- read_claim() — of which queue a claim is, who holds it and until when
--
-- For doors that let some callers into some queues only. No row once it is over.

create or replace function read_claim(p_claim bigint)
  returns table (queue text, worker text, expires_at timestamptz)
  language sql
  stable
  security definer
  set search_path from current
as $$
  select queue, worker, expires_at from claims
  where id = p_claim and (not has_grants() or may_use('consume', queue, (select submitter())));
$$;
