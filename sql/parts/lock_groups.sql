-- lock_groups() — holds the rows of these groups until commit, and creates what is missing
--
-- Always in the order of their names, and never while a row of tasks is still to
-- be waited for: so no two verbs can wait for each other. Rates are brought up to
-- date on the way: starts that have left the window no longer count.

create or replace function lock_groups(p_names text[], p_now timestamptz)
  returns void
  language plpgsql
as $$
declare
  v_group groups;
begin
  insert into groups (name)
  select distinct given.name
  from unnest(p_names) as given (name)
  where not exists (select from groups where groups.name = given.name)
  order by 1
  on conflict (name) do nothing;

  for v_group in
    select * from groups where name = any (p_names) order by name for no key update
  loop
    if v_group.rate is not null then
      perform refresh_rate(v_group, p_now);
    end if;
  end loop;
end;
$$;
