-- background_refresh_topics() — gives the groups of topics the limits that the settings say
--
-- Those of one topic, or of all; only groups that are there already or have settings
-- of their own. The others are given theirs when they are made (background_group()).

create or replace function background_refresh_topics(p_topic text default null)
  returns void
  language plpgsql
as $$
declare
  v_name text;
begin
  for v_name in
    select name
    from (
      select substr(name, length('pg_background:') + 1) as name from groups where name ^@ 'pg_background:'
      union
      select topic from background_topics
      union
      select p_topic where p_topic is not null
    ) as known
    where name = coalesce(p_topic, name)
    order by name
  loop
    perform set_group('pg_background:' || v_name, background_limits(v_name));
  end loop;
end;
$$;
