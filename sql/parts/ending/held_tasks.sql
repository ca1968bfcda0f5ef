-- held_tasks() — the tasks that a claim names, without those that ended, for a caller that holds its row
--
-- Of a small claim simply those it named. A large one is rescued in many rounds, and each
-- would first pass by all that the rounds before it have ended. So its list is shortened when
-- a tenth of it is over.

create or replace function held_tasks(p_claim claims)
  returns bigint[]
  language plpgsql
as $$
begin
  if cardinality(p_claim.tasks) <= 5000 or p_claim.open > 0.9 * cardinality(p_claim.tasks) then
    return p_claim.tasks;
  end if;
  p_claim.tasks := array(
    select tasks.id
    from unnest(p_claim.tasks) with ordinality as named (id, place)
    join tasks on tasks.id = any (array[named.id]) and tasks.claim = p_claim.id
    order by named.place
  );
  update claims set tasks = p_claim.tasks where id = p_claim.id;
  return p_claim.tasks;
end;
$$;
