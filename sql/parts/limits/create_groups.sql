-- create_groups() — gives groups that are named for the first time a row of their own
--
-- Two who create the same group would meet at its primary key, in whatever order;
-- so they meet before, at one of a few locks, which are taken in order or (p_waits =
-- false) not at all. A few, because a claim may name a thousand new groups.

create or replace function create_groups(p_names text[], p_waits boolean)
  returns void
  language plpgsql
as $$
declare
  c_locks constant integer := 16;
  v_space   integer := hashtext(current_schema() || '.groups');
  v_missing text[];
  v_lock    integer;
begin
  v_missing := array(
    select distinct given.name
    from unnest(p_names) as given (name)
    where not exists (select from groups where groups.name = given.name)
  );
  if v_missing = '{}' then
    return;
  end if;
  for v_lock in
    select distinct abs(hashtext(name) % c_locks) from unnest(v_missing) as given (name) order by 1
  loop
    if p_waits then
      perform pg_advisory_xact_lock(v_space, v_lock);
    elsif not pg_try_advisory_xact_lock(v_space, v_lock) then
      v_missing := array(select name from unnest(v_missing) as given (name) where abs(hashtext(name) % c_locks) <> v_lock);
    end if;
  end loop;
  insert into groups (name) select unnest(v_missing) on conflict (name) do nothing;
end;
$$;
