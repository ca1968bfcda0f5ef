-- lock_chore() — leads a chore by an advisory lock of this session, or finds out who may
--
-- Call it again to find out whether the session still holds the lock: only the
-- session knows. Taking it begins a term, which is written down for people to see and
-- for fence(); what decides is the lock, and it goes with the session. The view leader
-- reads who holds it from pg_locks.

create or replace function lock_chore(
  p_worker text,
  p_chore  text,
  out term   bigint,
  out resign boolean
)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
begin
  perform check_worker(p_worker);
  if not exists (select from chores where name = p_chore) then
    perform refuse('TK004', format('worker %s cannot lead %s', coalesce(p_worker, 'null'),
                                   coalesce(left(p_chore, bound('name')), 'null')),
                   'Register the chore first with register_chores().');
  end if;
  resign := false;
  if exists (select from chore_locks where chore = p_chore and pid = pg_backend_pid()) then
    select chores.term, resign_asked_at is not null into term, resign
    from chores
    where name = p_chore and holder = p_worker;
    if not found then
      term := begin_locked_term(p_worker, p_chore);
      resign := false;
    else
      -- For people to see. Not worth waiting for a transaction that has called resign().
      update chores
      set renewed_at = clock_timestamp()
      where name = (select name from chores where name = p_chore for no key update skip locked);
    end if;
  elsif not exists (
      select from chores where name = p_chore and rest_holder = p_worker and rest_until > clock_timestamp()
    ) and (select pg_try_advisory_lock(lock_class, hashtext(name)) from chores where name = p_chore) then
    term := begin_locked_term(p_worker, p_chore);
  end if;
end;
$$;

-- begin_locked_term() — begins a term of a chore whose advisory lock this session has just taken
--
-- Waits for transactions that the last leader fenced: when it returns, none is left.

create or replace function begin_locked_term(p_worker text, p_chore text)
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
