-- pause_name() — the engine's group for the tasks of a group that pause between them

create or replace function pause_name(p_group_name text)
  returns text
  language sql
  immutable
as $$
  select 'pause of ' || p_group_name;
$$;
