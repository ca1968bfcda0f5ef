-- release_chores() — a leader gives up chores, and the next leader is notified at once
--
-- Released is only what the worker leads in the term it names, so an old leader
-- cannot free what a new one holds. After a rotation, if there is another worker, on
-- request and after an error the worker rests: the next term is not its own.
-- Answers with what was released.
--
-- NOTIFY '<schema>:chores' names the chore and an heir, one of those that would lead
-- it. Nothing rests on it: others look a moment later, and when the lease is over.

create or replace function release_chores(
  p_worker text,
  p_chores text[],
  p_terms  bigint[],
  p_how    text     default 'shutdown'
)
  returns setof text
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_seed  text := random()::text;
  v_chore text;
  v_term  bigint;
begin
  perform check_worker(p_worker);
  if not is_list(p_chores) or not is_list(p_terms) or p_chores is null
     or cardinality(p_chores) is distinct from cardinality(p_terms) then
    perform refuse('TK004', 'release_chores needs a worker, its chores and their terms',
                   'Write release_chores(''worker'', ''{rescue,sweep}'', ''{7,9}'').');
  end if;
  if p_how is null or p_how not in ('shutdown', 'rotation', 'resign', 'error') then
    perform refuse('TK004', format('unknown end of leadership %L', coalesce(p_how, 'null')),
                   'Use shutdown, rotation, resign or error.');
  end if;
  -- A worker that leaves cannot lead next.
  if p_how = 'shutdown' then
    update workers set chores = '{}' where id = p_worker;
  end if;
  for v_chore, v_term in
    select given.name, given.term from unnest(p_chores, p_terms) as given (name, term) order by given.name
  loop
    if end_term(p_worker, v_chore, v_term, p_how, choose_successor(v_chore, p_worker, v_seed)) then
      return next v_chore;
    end if;
  end loop;
end;
$$;
