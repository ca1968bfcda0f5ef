-- lock_groups() — holds the rows of these groups until commit, and creates what is missing
--
-- Always in one order, queues ('@…') first and then by name, and never while a row
-- of tasks or claims is still to be waited for: so no two verbs can wait for each
-- other. Whoever holds groups already must not wait for more (p_waits = false), and
-- gets those that nobody else holds. Answers with the names of the rows it holds;
-- no name may be given twice. Rates are brought up to date on the way: starts that
-- have left the window no longer count.

create or replace function lock_groups(p_names text[], p_now timestamptz, p_waits boolean default true)
  returns text[]
  language plpgsql
as $$
declare
  v_held  text[];
  v_rated boolean;
  v_group groups;
begin
  loop
    -- Before any row is held: whoever creates may have to wait.
    if (select count(*) from groups where name = any (p_names)) < cardinality(p_names) then
      perform create_groups(p_names, p_waits);
    end if;
    if p_waits then
      select array_agg(held.name), bool_or(held.rate is not null) into v_held, v_rated
      from (
        select name, rate from groups where name = any (p_names) order by left(name, 1) <> '@', name for no key update
      ) as held;
    else
      select array_agg(held.name), bool_or(held.rate is not null) into v_held, v_rated
      from (select name, rate from groups where name = any (p_names) for no key update skip locked) as held;
      if coalesce(cardinality(v_held), 0) < cardinality(p_names) then
        -- Read by claim(), if it finds nothing to start.
        perform set_config('tusk.met_held_group', 'yes', true);
      end if;
    end if;
    -- sweep() may have taken one away meanwhile.
    exit when not p_waits or coalesce(cardinality(v_held), 0) = cardinality(p_names);
  end loop;

  if v_rated then
    for v_group in
      select * from groups where name = any (v_held) and rate is not null
    loop
      perform refresh_rate(v_group, p_now);
    end loop;
  end if;
  return v_held;
end;
$$;
