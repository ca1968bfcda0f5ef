-- register_chores() — a worker says which chores it takes part in, and how each is done
--
--   select register_chores('6f1c…', '[{"name": "tidy_shelves", "strategy": "lease",
--     "every": "1 minute", "timeout": "30 seconds", "ttl": "10 seconds"}]');
--
-- Makes the row of a chore that has none, so that none need be made beforehand; a
-- later word about one replaces the earlier. One that was known before and forgotten
-- goes on with its terms: a number never comes twice. With p_leads false the worker
-- makes chores known without being thought of as an heir.

create or replace function register_chores(p_worker text, p_chores jsonb, p_leads boolean default true)
  returns void
  language plpgsql
  security definer
  set search_path from current
as $$
declare
  v_chore jsonb;
begin
  perform check_worker(p_worker);
  if coalesce(p_worker, '') = '' or jsonb_typeof(p_chores) is distinct from 'array' or p_leads is null then
    perform refuse('TK004', 'register_chores needs a worker and an array of chores',
                   'Write register_chores(''worker'', ''[{"name": "tidy", "every": "1 minute"}]'').');
  end if;
  for v_chore in select value from jsonb_array_elements(p_chores) loop
    perform check_chore(v_chore);
  end loop;

  insert into chores as known (name, strategy, every, timeout, ttl, lock_class, registered_at, term)
  select distinct on (given.name) given.name, coalesce(given.strategy, 'lease'), given.every,
         coalesce(given.timeout, '30 seconds'), coalesce(given.ttl, '10 seconds'),
         hashtext('tusk chores of ' || current_schema()), clock_timestamp(),
         coalesce((select max(terms.term) from terms where terms.chore = given.name), 0)
  from jsonb_to_recordset(p_chores) as given (name text, strategy text, every interval, timeout interval, ttl interval)
  order by given.name
  on conflict (name) do update
    set strategy = excluded.strategy,
        every    = excluded.every,
        timeout  = excluded.timeout,
        ttl      = excluded.ttl
    where (known.strategy, known.every, known.timeout, known.ttl)
          is distinct from (excluded.strategy, excluded.every, excluded.timeout, excluded.ttl);

  update workers
  set chores = case when p_leads then array(select value ->> 'name' from jsonb_array_elements(p_chores) order by 1) else '{}' end
  where id = p_worker;
end;
$$;
