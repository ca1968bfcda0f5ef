-- unlock_chore() — gives up a chore that this session leads by an advisory lock
--
-- False when it does not. How it ends is as in release_chores().

create or replace function unlock_chore(p_worker text, p_chore text, p_how text default 'shutdown')
  returns boolean
  language plpgsql
  security definer
  set search_path from current
as $$
begin
  perform check_worker(p_worker);
  if p_how is null or p_how not in ('shutdown', 'rotation', 'resign', 'error') then
    perform refuse('TK004', format('unknown end of leadership %L', coalesce(p_how, 'null')),
                   'Use shutdown, rotation, resign or error.');
  end if;
  if not exists (select from chore_locks where chore = p_chore and pid = pg_backend_pid()) then
    return false;
  end if;
  perform end_term(p_worker, p_chore, (select term from chores where name = p_chore), p_how,
                   choose_successor(p_chore, p_worker, ''));
  return (select pg_advisory_unlock(lock_class, hashtext(name)) from chores where name = p_chore);
end;
$$;
