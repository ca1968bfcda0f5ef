-- take_locked() — begins a term of a chore whose advisory lock this session has just taken
--
-- Waits for transactions that the last leader fenced: when it returns, none is left.

create or replace function take_locked(p_worker text, p_chore text)
  returns bigint
  language plpgsql
as $$
declare
  v_old chores;
begin
  select * into v_old from chores where name = p_chore for update;
  update terms
  set ended_at = clock_timestamp(),
      how      = 'expired'
  where chore = p_chore and term = v_old.term and ended_at is null;
  update chores
  set term            = term + 1,
      holder          = p_worker,
      acquired_at     = clock_timestamp(),
      renewed_at      = clock_timestamp(),
      expires_at      = null,
      resign_asked_at = null,
      rest_holder     = null,
      rest_until      = null
  where name = p_chore;
  insert into terms (chore, term, worker, acquired_at)
  values (p_chore, v_old.term + 1, p_worker, clock_timestamp());
  return v_old.term + 1;
end;
$$;
