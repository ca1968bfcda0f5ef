-- create_groups() — gives groups that are named for the first time a row of their own
--
-- Two who create the same group would meet at its primary key, in whatever order;
-- so they meet before, at one of a few latches, which are taken in order or (p_waits =
-- false) not at all. A few, because a claim may name a thousand new groups.

create or replace function create_groups(p_names text[], p_waits boolean)
  returns void
  language plpgsql
as $$
declare
  c_latches constant integer := 16;
  v_missing text[];
  v_latches text[];
begin
  v_missing := array(
    select distinct given.name
    from unnest(p_names) as given (name)
    where not exists (select from groups where groups.name = given.name)
  );
  if v_missing = '{}' then
    return;
  end if;
  v_latches := array(
    select distinct 'create groups ' || abs(hashtext(name) % c_latches) from unnest(v_missing) as given (name));
  if p_waits then
    perform from latches where name = any (v_latches) order by name for no key update;
  else
    v_latches := array(select name from latches where name = any (v_latches) for no key update skip locked);
    v_missing := array(
      select name from unnest(v_missing) as given (name)
      where 'create groups ' || abs(hashtext(name) % c_latches) = any (v_latches));
  end if;
  insert into groups (name) select unnest(v_missing) on conflict (name) do nothing;
end;
$$;
