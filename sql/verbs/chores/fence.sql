-- fence() — lets a transaction go on only while its worker leads
--
-- Call it in the transaction whose writes must not be an old leader's. Until that
-- transaction ends no other worker can take the chore over, while the leader itself may renew.
-- Give the transaction a statement_timeout below the lease: it holds up successors.

create or replace function fence(p_chore text, p_worker text, p_term bigint)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform
  from chores
  where name = p_chore and holder = p_worker and term = p_term
    and coalesce(expires_at > clock_timestamp(), true)
  for key share;
  if not found then
    perform refuse('TK007',
                   format('worker %s does not lead %s in term %s', coalesce(left(p_worker, bound('name')), 'null'),
                                   coalesce(left(p_chore, bound('chore')), 'null'), coalesce(p_term::text, 'null')),
                   'Roll back and stop: its lease expired, or another worker leads by now.');
  end if;
end;
$$;
