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
  set chores = case when p_leads then array(select value ->> 'name' from jsonb_array_elements(p_chores) order by 1)
                    else '{}' end
  where id = p_worker;
end;
$$;

-- check_chore() — refuses an invalid chore

create or replace function check_chore(p_chore jsonb)
  returns void
  language plpgsql
as $$
declare
  v_name  text := p_chore ->> 'name';
  v_wrong text;
begin
  perform check_settings(p_chore, array['name', 'strategy', 'every', 'timeout', 'ttl']);
  v_wrong := case
    when coalesce(length(v_name), 0) not between 1 and bound('chore')
      then format('a chore needs a name of 1 to %s characters', bound('chore'))
    when coalesce(p_chore ->> 'strategy', 'lease') not in ('all', 'skip-locked', 'advisory', 'lease')
      then format('chore %s: there is no strategy %L; use all, skip-locked, advisory or lease', v_name,
                  p_chore ->> 'strategy')
    when coalesce((p_chore ->> 'every')::interval <= '0', true)
      then format('chore %s: every must be longer than 0', v_name)
    when (p_chore ->> 'timeout')::interval <= '0' then format('chore %s: timeout must be longer than 0', v_name)
    when (p_chore ->> 'ttl')::interval < '100 milliseconds' then format('chore %s: ttl must be 100 ms or more', v_name)
    -- Nothing is for ever: a lease without end could not be taken over. Since Postgres 17 there is
    -- an interval without end.
    when greatest((p_chore ->> 'every')::interval, (p_chore ->> 'timeout')::interval,
                  (p_chore ->> 'ttl')::interval) > '100 years'
      then format('chore %s: every, timeout and ttl must be 100 years or less', v_name)
  end;
  if v_wrong is not null then
    perform refuse('TK004', v_wrong,
                   'Write {"name": "tidy", "strategy": "lease", "every": "1 minute", "timeout": "30 seconds", "ttl": '
                   '"10 seconds"}.');
  end if;
exception
  when data_exception then
    perform refuse('TK004', format('chore %s cannot be registered: %s', v_name, sqlerrm),
                   'Write intervals as Postgres does, such as "30 seconds".');
end;
$$;
