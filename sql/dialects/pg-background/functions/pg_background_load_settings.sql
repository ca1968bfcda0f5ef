-- pg_background_load_settings() — takes over settings that were written as pg_background.<setting>[.<topic>]
--
-- Those of this database and of all (ALTER DATABASE … SET, ALTER ROLE ALL SET), and the
-- ones without a topic as this session sees them. Answers with what it took over. Run
-- it again when they have changed.

create or replace function pg_background_load_settings()
  returns table (topic text, setting text, value text)
  language plpgsql
  security definer
  set search_path from current
as $$
#variable_conflict use_column
declare
  c_names constant text := 'retry_count|max_parallel_running_tasks_count|delay_in_sec';
begin
  for topic, setting, value in
    select found.parts[2], found.parts[1], found.parts[3]
    from (
      select regexp_match(config, format('^pg_background[.](%s)(?:[.]([^=]+))?=(.*)$', c_names)) as parts
      from pg_catalog.pg_db_role_setting, unnest(setconfig) as config
      where setrole = 0 and setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
      union
      select array[name, null, current_setting('pg_background.' || name, true)]
      from regexp_split_to_table(c_names, '[|]') as name
    ) as found
    where coalesce(found.parts[3], '') <> ''
    order by found.parts[2] nulls first, found.parts[1]
  loop
    if topic is null then
      perform pg_background_set_defaults(jsonb_build_object(setting, value));
    else
      perform pg_background_set_topic(topic, jsonb_build_object(setting, value));
    end if;
    return next;
  end loop;
end;
$$;
